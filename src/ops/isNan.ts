import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";

/** Whether X is not a number. https://onnx.ai/onnx/operators/onnx__IsNaN.html */
export const isNan = defineOp({
  type: "IsNaN",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [{ dtype: "bool", shape: X.shape }],
  grad: { X: "none" },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, (x) => (Number.isNaN(x) ? 1 : 0))],
});
