import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The hyperbolic cosine. https://onnx.ai/onnx/operators/onnx__Cosh.html */
export const cosh = defineOp({
  type: "Cosh",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    input: (emit, { input }, _out, d) => emit.op("Mul", [d.output, emit.op("Sinh", [input])]),
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.cosh)],
});
