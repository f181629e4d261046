import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The smallest integer that is not below X. https://onnx.ai/onnx/operators/onnx__Ceil.html */
export const ceil = defineOp({
  type: "Ceil",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: { X: (emit, { X }) => emit.scalar(0, X.dtype) },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, Math.ceil)],
});
