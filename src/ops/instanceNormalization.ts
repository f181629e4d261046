import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { normalizeGroups } from "./kernels/normalize.ts";
import { typeOf } from "./shapes.ts";
import { sumOverChannels } from "./writeConv.ts";
import { groupInputGradient, groupScaleGradient } from "./writeNorm.ts";

/**
 * Each channel of each image normalised by itself, then · scale + B.
 * https://onnx.ai/onnx/operators/onnx__InstanceNormalization.html
 */
export const instanceNormalization = defineOp({
  type: "InstanceNormalization",
  inputs: ["input", "scale", "B"],
  outputs: ["output"],
  attrs: { epsilon: 1e-5 },
  infer: ({ input }) => [typeOf(input)],
  grad: {
    input: (emit, { input, scale }, _out, d, { epsilon }) =>
      groupInputGradient(emit, input, scale, d.output, input.shape[1] ?? 1, epsilon),
    scale: (emit, { input }, _out, d, { epsilon }) =>
      groupScaleGradient(emit, input, d.output, input.shape[1] ?? 1, epsilon),
    B: (emit, _at, _out, d) => sumOverChannels(emit, d.output),
  },
  flops: ({ input }) => 8 * numel(input.shape),
  evaluate: ({ input, scale, B }, { epsilon }) => [
    normalizeGroups(input, input.shape[1] ?? 1, scale, B, { epsilon, merges: false }),
  ],
});
