import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The sine. https://onnx.ai/onnx/operators/onnx__Sin.html */
export const sin = defineOp({
  type: "Sin",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    input: (emit, { input }, _out, d) => emit.op("Mul", [d.output, emit.op("Cos", [input])]),
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.sin)],
});
