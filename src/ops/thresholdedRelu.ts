import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** X above alpha, else 0. https://onnx.ai/onnx/operators/onnx__ThresholdedRelu.html */
export const thresholdedRelu = defineOp({
  type: "ThresholdedRelu",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { alpha: 1 },
  infer: ({ X }) => [typeOf(X)],
  grad: {
    X: (emit, { X }, _out, d, { alpha }) => {
      const above = emit.op("Greater", [X, emit.scalar(alpha, X.dtype)]);
      return emit.op("Where", [above, d.Y, emit.scalar(0, X.dtype)]);
    },
  },
  evaluate: ({ X }, { alpha }, [Y]) => [elementwise1(X, Y, (x) => (x > alpha ? x : 0))],
});
