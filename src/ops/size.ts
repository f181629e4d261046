import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";

/** The number of elements. https://onnx.ai/onnx/operators/onnx__Size.html */
export const size = defineOp({
  type: "Size",
  inputs: ["data"],
  outputs: ["size"],
  infer: () => [{ dtype: "int64", shape: [] }],
  grad: { data: "none" },
  flops: () => 0,
  evaluate: ({ data }) => [{ dtype: "int64", shape: [], data: Float64Array.of(numel(data.shape)) }],
});
