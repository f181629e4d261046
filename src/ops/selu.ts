import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/**
 * gamma · X above 0, gamma · alpha · (e^X − 1) below.
 * https://onnx.ai/onnx/operators/onnx__Selu.html
 */
export const selu = defineOp({
  type: "Selu",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { alpha: 1.6732631921768188, gamma: 1.0507010221481323 },
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // below 0 the slope is gamma · alpha · e^X = Y + gamma · alpha
    X: (emit, { X }, { Y }, d, { alpha, gamma }) => {
      const scalar = (value: number) => emit.scalar(value, X.dtype);
      const below = emit.op("LessOrEqual", [X, scalar(0)]);
      const slope = emit.op("Add", [Y, scalar(alpha * gamma)]);
      return emit.op("Mul", [d.Y, emit.op("Where", [below, slope, scalar(gamma)])]);
    },
  },
  evaluate: ({ X }, { alpha, gamma }, [Y]) => [
    elementwise1(X, Y, (x) => gamma * (x > 0 ? x : alpha * Math.expm1(x))),
  ],
});
