import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The largest integer that is not above X. https://onnx.ai/onnx/operators/onnx__Floor.html */
export const floor = defineOp({
  type: "Floor",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: { X: (emit, { X }) => emit.scalar(0, X.dtype) },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, Math.floor)],
});
