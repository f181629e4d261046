import { defineOp } from "./defineOp.ts";
import { axisOf, knownNumbers } from "./shapes.ts";
import { reshapeTo } from "./write.ts";

/**
 * Axes of size 1 put in at `axes` of the output (a constant).
 * https://onnx.ai/onnx/operators/onnx__Unsqueeze.html
 */
export const unsqueeze = defineOp({
  type: "Unsqueeze",
  inputs: ["data", "axes"],
  outputs: ["expanded"],
  infer: ({ data, axes }) => {
    const given = knownNumbers("Unsqueeze", "axes", axes);
    const rank = data.shape.length + given.length;
    const added = new Set(given.map((axis) => axisOf("Unsqueeze", axis, rank)));
    const sizes = [...data.shape];
    const shape = Array.from({ length: rank }, (_, axis) =>
      added.has(axis) ? 1 : (sizes.shift() as number),
    );
    return [{ dtype: data.dtype, shape }];
  },
  grad: {
    data: (emit, { data }, _out, d) => reshapeTo(emit, d.expanded, data.shape),
    axes: "none",
  },
  flops: () => 0,
  evaluate: ({ data }, _attrs, [out]) => [
    { dtype: data.dtype, shape: out?.shape ?? [], data: data.data },
  ],
});
