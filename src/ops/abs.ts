import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";
import { signOf } from "./write.ts";

/** Y = |X|; its gradient at 0 is 0. https://onnx.ai/onnx/operators/onnx__Abs.html */
export const abs = defineOp({
  type: "Abs",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: { X: (emit, { X }, _out, d) => emit.op("Mul", [d.Y, signOf(emit, X)]) },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, Math.abs)],
});
