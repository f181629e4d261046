import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** X above 0, alpha · (e^X − 1) below. https://onnx.ai/onnx/operators/onnx__Elu.html */
export const elu = defineOp({
  type: "Elu",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { alpha: 1 },
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // below 0 the slope is alpha · e^X = Y + alpha
    X: (emit, { X }, { Y }, d, { alpha }) => {
      const scalar = (value: number) => emit.scalar(value, X.dtype);
      const below = emit.op("LessOrEqual", [X, scalar(0)]);
      const slope = emit.op("Add", [Y, scalar(alpha)]);
      return emit.op("Where", [below, emit.op("Mul", [d.Y, slope]), d.Y]);
    },
  },
  evaluate: ({ X }, { alpha }, [Y]) => [
    elementwise1(X, Y, (x) => (x > 0 ? x : alpha * Math.expm1(x))),
  ],
});
