import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** −1, 0 or 1; 0 for NaN. https://onnx.ai/onnx/operators/onnx__Sign.html */
export const sign = defineOp({
  type: "Sign",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: { input: (emit, { input }) => emit.scalar(0, input.dtype) },
  evaluate: ({ input }, _attrs, [output]) => [
    elementwise1(input, output, (x) => (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0)),
  ],
});
