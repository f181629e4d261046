import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { erf as erfOf } from "./kernels/erf.ts";
import { typeOf } from "./shapes.ts";

/** The error function. https://onnx.ai/onnx/operators/onnx__Erf.html */
export const erf = defineOp({
  type: "Erf",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    // dx = dy · 2/√π · e^(−x²), the factor taken into the exponent: one pass less
    input: (emit, { input: x }, _out, d) => {
      const factor = emit.scalar(Math.log(2 / Math.sqrt(Math.PI)), x.dtype);
      const exponent = emit.op("Sub", [factor, emit.op("Mul", [x, x])]);
      return emit.op("Mul", [d.output, emit.op("Exp", [exponent])]);
    },
  },
  flops: ({ input }) => 10 * input.shape.reduce((n, size) => n * size, 1),
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, erfOf)],
});
