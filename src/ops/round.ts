import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The nearest integer, of two the even one. https://onnx.ai/onnx/operators/onnx__Round.html */
export const round = defineOp({
  type: "Round",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: { X: (emit, { X }) => emit.scalar(0, X.dtype) },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, nearestEven)],
});

function nearestEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}
