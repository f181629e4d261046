import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The hyperbolic sine. https://onnx.ai/onnx/operators/onnx__Sinh.html */
export const sinh = defineOp({
  type: "Sinh",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    input: (emit, { input }, _out, d) => emit.op("Mul", [d.output, emit.op("Cosh", [input])]),
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.sinh)],
});
