import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The cosine. https://onnx.ai/onnx/operators/onnx__Cos.html */
export const cos = defineOp({
  type: "Cos",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    input: (emit, { input }, _out, d) =>
      emit.op("Mul", [emit.op("Neg", [d.output]), emit.op("Sin", [input])]),
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.cos)],
});
