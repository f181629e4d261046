import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";
import { flatIn } from "./write.ts";

/** Y = max(X, 0); its gradient at 0 is 0. https://onnx.ai/onnx/operators/onnx__Relu.html */
export const relu = defineOp({
  type: "Relu",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // Not Greater: the gradient passes where Y is NaN, as in PyTorch.
    X: (emit, _at, { Y }, d) => {
      const zero = emit.scalar(0, Y.dtype);
      return flatIn(emit, Y, emit.op("Where", [emit.op("LessOrEqual", [Y, zero]), zero, d.Y]));
    },
  },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, (x) => Math.max(x, 0))],
});
