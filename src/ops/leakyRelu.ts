import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";
import { flatIn } from "./write.ts";

/** X above 0, alpha · X below and at 0. https://onnx.ai/onnx/operators/onnx__LeakyRelu.html */
export const leakyRelu = defineOp({
  type: "LeakyRelu",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { alpha: 0.01 },
  infer: ({ X }) => [typeOf(X)],
  grad: {
    X: (emit, { X }, _out, d, { alpha }) => {
      const above = emit.op("Greater", [X, emit.scalar(0, X.dtype)]);
      const below = emit.op("Mul", [d.Y, emit.scalar(alpha, X.dtype)]);
      return flatIn(emit, X, emit.op("Where", [above, d.Y, below]));
    },
  },
  evaluate: ({ X }, { alpha }, [Y]) => [elementwise1(X, Y, (x) => (x > 0 ? x : alpha * x))],
});
