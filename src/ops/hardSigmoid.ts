import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** Y = max(0, min(1, alpha · X + beta)). https://onnx.ai/onnx/operators/onnx__HardSigmoid.html */
export const hardSigmoid = defineOp({
  type: "HardSigmoid",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { alpha: 0.2, beta: 0.5 },
  infer: ({ X }) => [typeOf(X)],
  grad: {
    X: (emit, _at, { Y }, d, { alpha }) => {
      const zero = emit.scalar(0, Y.dtype);
      const rises = emit.op("And", [
        emit.op("Greater", [Y, zero]),
        emit.op("Less", [Y, emit.scalar(1, Y.dtype)]),
      ]);
      return emit.op("Where", [rises, emit.op("Mul", [d.Y, emit.scalar(alpha, Y.dtype)]), zero]);
    },
  },
  evaluate: ({ X }, { alpha, beta }, [Y]) => [
    elementwise1(X, Y, (x) => Math.max(0, Math.min(1, alpha * x + beta))),
  ],
});
