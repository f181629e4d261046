import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** Y = ln(1 + e^X). https://onnx.ai/onnx/operators/onnx__Softplus.html */
export const softplus = defineOp({
  type: "Softplus",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // σ(x) as e^−softplus(−x): what runtimes have as Sigmoid loses its digits where it is small.
    X: (emit, { X }, _out, d) => {
      const opposite = emit.op("Softplus", [emit.op("Neg", [X])]);
      return emit.op("Mul", [d.Y, emit.op("Exp", [emit.op("Neg", [opposite])])]);
    },
  },
  evaluate: ({ X }, _attrs, [Y]) => [
    elementwise1(X, Y, (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))),
  ],
});
