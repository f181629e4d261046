import { convert } from "./cast.ts";
import { defineOp } from "./defineOp.ts";

/**
 * The same numbers in the element type of `target_type`.
 * https://onnx.ai/onnx/operators/onnx__CastLike.html
 */
export const castLike = defineOp({
  type: "CastLike",
  inputs: ["input", "target_type"],
  outputs: ["output"],
  infer: ({ input, target_type }) => [{ dtype: target_type.dtype, shape: input.shape }],
  grad: {
    input: (emit, { input }, _out, d) => emit.op("Cast", [d.output], { to: input.dtype }),
    target_type: "none",
  },
  flops: () => 0,
  evaluate: ({ input }, _attrs, [output]) => [convert(input, output)],
});
