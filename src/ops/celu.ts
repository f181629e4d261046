import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** X above 0, alpha · (e^(X/alpha) − 1) below. https://onnx.ai/onnx/operators/onnx__Celu.html */
export const celu = defineOp({
  type: "Celu",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { alpha: 1 },
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // below 0 the slope is e^(X/alpha) = Y/alpha + 1
    X: (emit, { X }, { Y }, d, { alpha }) => {
      const scalar = (value: number) => emit.scalar(value, X.dtype);
      const below = emit.op("LessOrEqual", [X, scalar(0)]);
      const share = emit.op("Mul", [Y, scalar(1 / alpha)]);
      const slope = emit.op("Add", [share, scalar(1)]);
      return emit.op("Where", [below, emit.op("Mul", [d.Y, slope]), d.Y]);
    },
  },
  evaluate: ({ X }, { alpha }, [Y]) => [
    elementwise1(X, Y, (x) => (x > 0 ? x : alpha * Math.expm1(x / alpha))),
  ],
});
