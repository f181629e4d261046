import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** Y = 1 / X. https://onnx.ai/onnx/operators/onnx__Reciprocal.html */
export const reciprocal = defineOp({
  type: "Reciprocal",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // dX = −dY · Y²
    X: (emit, _at, { Y }, d) => emit.op("Mul", [emit.op("Neg", [d.Y]), emit.op("Mul", [Y, Y])]),
  },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, (x) => 1 / x)],
});
