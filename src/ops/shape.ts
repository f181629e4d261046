import { defineOp } from "./defineOp.ts";

/**
 * The input's sizes from axis `start` up to `end`. https://onnx.ai/onnx/operators/onnx__Shape.html
 */
export const shape = defineOp({
  type: "Shape",
  inputs: ["data"],
  outputs: ["shape"],
  attrs: { start: 0 },
  infer: ({ data }, attrs: ShapeAttrs) => [
    { dtype: "int64", shape: [data.shape.slice(attrs.start, attrs.end).length] },
  ],
  grad: { data: "none" },
  flops: () => 0,
  evaluate: ({ data }, { start, end }, [out]) => [
    {
      dtype: "int64",
      shape: out?.shape ?? [],
      data: Float64Array.from(data.shape.slice(start, end)),
    },
  ],
});

type ShapeAttrs = { readonly start: number; readonly end?: number };
