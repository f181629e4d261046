import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/**
 * Zero up to lambd on both sides, beyond nearer to 0 by bias.
 * https://onnx.ai/onnx/operators/onnx__Shrink.html
 */
export const shrink = defineOp({
  type: "Shrink",
  inputs: ["input"],
  outputs: ["output"],
  attrs: { bias: 0, lambd: 0.5 },
  infer: ({ input }) => [typeOf(input)],
  grad: {
    input: (emit, { input: x }, _out, d, { lambd }) => {
      const outside = emit.op("Greater", [emit.op("Abs", [x]), emit.scalar(lambd, x.dtype)]);
      return emit.op("Where", [outside, d.output, emit.scalar(0, x.dtype)]);
    },
  },
  evaluate: ({ input }, { bias, lambd }, [output]) => [
    elementwise1(input, output, (x) => (Math.abs(x) > lambd ? x - Math.sign(x) * bias : 0)),
  ],
});
