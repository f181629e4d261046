import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";

/**
 * Whether X is infinite with one of the signs asked for.
 * https://onnx.ai/onnx/operators/onnx__IsInf.html
 */
export const isInf = defineOp({
  type: "IsInf",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { detect_negative: 1, detect_positive: 1 },
  infer: ({ X }) => [{ dtype: "bool", shape: X.shape }],
  grad: { X: "none" },
  evaluate: ({ X }, { detect_negative, detect_positive }, [Y]) => [
    elementwise1(X, Y, (x) => {
      if (x === Number.POSITIVE_INFINITY) return detect_positive;
      return x === Number.NEGATIVE_INFINITY ? detect_negative : 0;
    }),
  ],
});
