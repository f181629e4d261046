import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** Y = √X. https://onnx.ai/onnx/operators/onnx__Sqrt.html */
export const sqrt = defineOp({
  type: "Sqrt",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // dX = dY / 2Y
    X: (emit, _at, { Y }, d) => emit.op("Div", [d.Y, emit.op("Mul", [Y, emit.scalar(2, Y.dtype)])]),
  },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, Math.sqrt)],
});
