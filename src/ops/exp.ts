import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The exponential function. https://onnx.ai/onnx/operators/onnx__Exp.html */
export const exp = defineOp({
  type: "Exp",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: { input: (emit, _at, { output }, d) => emit.op("Mul", [d.output, output]) },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.exp)],
});
