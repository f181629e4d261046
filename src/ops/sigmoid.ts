import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** Y = 1 / (1 + e^(−X)). https://onnx.ai/onnx/operators/onnx__Sigmoid.html */
export const sigmoid = defineOp({
  type: "Sigmoid",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // dX = dY · Y · (1 − Y)
    X: (emit, _at, { Y }, d) => {
      const rest = emit.op("Sub", [emit.scalar(1, Y.dtype), Y]);
      return emit.op("Mul", [emit.op("Mul", [d.Y, Y]), rest]);
    },
  },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, (x) => 1 / (1 + Math.exp(-x)))],
});
