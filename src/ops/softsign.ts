import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** y = x / (1 + |x|). https://onnx.ai/onnx/operators/onnx__Softsign.html */
export const softsign = defineOp({
  type: "Softsign",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    // dx = dy / (1 + |x|)²
    input: (emit, { input: x }, _out, d) => {
      const below = emit.op("Add", [emit.op("Abs", [x]), emit.scalar(1, x.dtype)]);
      return emit.op("Div", [d.output, emit.op("Mul", [below, below])]);
    },
  },
  evaluate: ({ input }, _attrs, [output]) => [
    elementwise1(input, output, (x) => x / (1 + Math.abs(x))),
  ],
});
