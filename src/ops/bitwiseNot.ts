import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The other bits: −1 − X in signed types. https://onnx.ai/onnx/operators/onnx__BitwiseNot.html */
export const bitwiseNot = defineOp({
  type: "BitwiseNot",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: { X: "none" },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, (x) => -1 - x)],
});
