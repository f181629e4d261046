import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";

/** Whether X does not hold. https://onnx.ai/onnx/operators/onnx__Not.html */
export const not = defineOp({
  type: "Not",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [{ dtype: "bool", shape: X.shape }],
  grad: { X: "none" },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, (x) => (x ? 0 : 1))],
});
