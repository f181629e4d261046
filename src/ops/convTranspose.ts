import { shapeMismatch } from "../errors.ts";
import { formatType, numel, type TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { convolveTransposed } from "./kernels/windows.ts";
import type { WindowAttrs, Windows } from "./windows.ts";
import { filterGradient, padsOf, sumOverChannels } from "./writeConv.ts";

/**
 * The transpose of the convolution with W[C, M/group, ...], applied to X[N, C, ...].
 * https://onnx.ai/onnx/operators/onnx__ConvTranspose.html
 */
export const convTranspose = defineOp({
  type: "ConvTranspose",
  inputs: ["X", "W", "B?"],
  outputs: ["Y"],
  attrs: { group: 1 },
  infer: ({ X, W }, attrs: ConvTransposeAttrs) => {
    const [n = 0, channels = 0] = X.shape;
    const automatic = (attrs.auto_pad ?? "NOTSET") !== "NOTSET" || attrs.output_shape !== undefined;
    if (automatic || channels !== W.shape[0] || channels % attrs.group || X.dtype !== W.dtype)
      throw shapeMismatch(
        `ConvTranspose needs X[N, C, ...], W[C, M/${attrs.group}, ...] and explicit pads; ` +
          `got ${formatType(X)} and ${formatType(W)}`,
      );
    const { kernel, strides, dilations, before, after, counts } = windows(X, W, attrs);
    const sizes = counts.map((count, k) => {
      const span = ((kernel[k] ?? 1) - 1) * (dilations[k] ?? 1) + 1;
      const more = attrs.output_padding?.[k] ?? 0;
      return (count - 1) * (strides[k] ?? 1) + span + more - (before[k] ?? 0) - (after[k] ?? 0);
    });
    return [{ dtype: X.dtype, shape: [n, (W.shape[1] ?? 0) * attrs.group, ...sizes] }];
  },
  grad: {
    X: (emit, { X, W }, _out, d, attrs) => {
      const { strides, dilations, ...sides } = windows(X, W, attrs);
      const pads = padsOf(sides);
      return emit.op("Conv", [d.Y, W], { strides, dilations, pads, group: attrs.group });
    },
    W: (emit, { X, W }, _out, d, attrs) =>
      filterGradient(emit, d.Y, X, windows(X, W, attrs), attrs.group),
    B: (emit, _at, _out, d) => sumOverChannels(emit, d.Y),
  },
  flops: ({ X, W }) => 2 * numel(X.shape) * numel(W.shape.slice(1)),
  evaluate: ({ X, W, B }, attrs, [Y]) => [
    convolveTransposed(X, W, B, windows(X, W, attrs), attrs.group, Y),
  ],
});

type ConvTransposeAttrs = WindowAttrs & {
  readonly group: number;
  readonly output_padding?: readonly number[];
  readonly output_shape?: readonly number[];
};

/** The windows of the convolution whose transpose this is: one for each position of X. */
function windows(X: TensorType, W: TensorType, attrs: ConvTransposeAttrs): Windows {
  const counts = X.shape.slice(2);
  const { strides = counts.map(() => 1), dilations = counts.map(() => 1), pads = [] } = attrs;
  const before = counts.map((_, k) => pads[k] ?? 0);
  const after = counts.map((_, k) => pads[k + counts.length] ?? 0);
  return { kernel: W.shape.slice(2), strides, dilations, before, after, counts };
}
