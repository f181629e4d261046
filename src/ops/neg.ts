import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** Y = −X. https://onnx.ai/onnx/operators/onnx__Neg.html */
export const neg = defineOp({
  type: "Neg",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: { X: (emit, _at, _out, d) => emit.op("Neg", [d.Y]) },
  evaluate: ({ X }, _attrs, [Y]) => [elementwise1(X, Y, (x) => -x)],
});
