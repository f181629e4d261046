import { shapeMismatch } from "../errors.ts";
import { formatType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { normalizeGroups } from "./kernels/normalize.ts";
import { typeOf } from "./shapes.ts";
import { sumOverChannels } from "./writeConv.ts";
import { groupInputGradient, groupScaleGradient } from "./writeNorm.ts";

/**
 * The channels of each image normalised in `num_groups` groups, then · scale + bias.
 * https://onnx.ai/onnx/operators/onnx__GroupNormalization.html
 */
export const groupNormalization = defineOp({
  type: "GroupNormalization",
  inputs: ["X", "scale", "bias"],
  outputs: ["Y"],
  attrs: { epsilon: 1e-5, stash_type: 1 },
  infer: ({ X }, attrs: GroupAttrs) => {
    const [, channels = 0] = X.shape;
    if (!attrs.num_groups || channels % attrs.num_groups)
      throw shapeMismatch(
        "GroupNormalization needs num_groups that divides the channels; " +
          `got ${attrs.num_groups} and ${formatType(X)}`,
      );
    return [typeOf(X)];
  },
  grad: {
    X: (emit, { X, scale }, _out, d, { num_groups = 1, epsilon }) =>
      groupInputGradient(emit, X, scale, d.Y, num_groups, epsilon),
    scale: (emit, { X }, _out, d, { num_groups = 1, epsilon }) =>
      groupScaleGradient(emit, X, d.Y, num_groups, epsilon),
    bias: (emit, _at, _out, d) => sumOverChannels(emit, d.Y),
  },
  flops: ({ X }) => 8 * numel(X.shape),
  evaluate: ({ X, scale, bias }, { num_groups = 1, epsilon }) => [
    normalizeGroups(X, num_groups, scale, bias, { epsilon, merges: true }),
  ],
});

type GroupAttrs = {
  readonly num_groups?: number;
  readonly epsilon: number;
  readonly stash_type: number;
};
