import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** Y = X · tanh(ln(1 + e^X)). https://onnx.ai/onnx/operators/onnx__Mish.html */
export const mish = defineOp({
  type: "Mish",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // with t = tanh(softplus X): dX = dY · (t + X · σ(X) · (1 − t²))
    X: (emit, { X }, _out, d) => {
      const t = emit.op("Tanh", [emit.op("Softplus", [X])]);
      const rest = emit.op("Sub", [emit.scalar(1, X.dtype), emit.op("Mul", [t, t])]);
      const inner = emit.op("Mul", [X, emit.op("Sigmoid", [X])]);
      const slope = emit.op("Add", [t, emit.op("Mul", [inner, rest])]);
      return emit.op("Mul", [d.Y, slope]);
    },
  },
  evaluate: ({ X }, _attrs, [Y]) => [
    elementwise1(X, Y, (x) => x * Math.tanh(Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))))),
  ],
});
