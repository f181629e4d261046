import { shapeMismatch } from "../errors.ts";
import { formatType, numel, type TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { convolve } from "./kernels/windows.ts";
import { type WindowAttrs, type Windows, windowsOf } from "./windows.ts";
import { filterGradient, sumOverChannels, transposedConvolution } from "./writeConv.ts";

/**
 * Convolution of X[N, C, ...] with W[M, C/group, ...].
 * https://onnx.ai/onnx/operators/onnx__Conv.html
 */
export const conv = defineOp({
  type: "Conv",
  inputs: ["X", "W", "B?"],
  outputs: ["Y"],
  attrs: { group: 1 },
  infer: ({ X, W }, attrs: ConvAttrs) => {
    const [n = 0, channels = 0] = X.shape;
    const [filters = 0, perGroup = 0] = W.shape;
    if (channels !== perGroup * attrs.group || filters % attrs.group || X.dtype !== W.dtype)
      throw shapeMismatch(
        `Conv in ${attrs.group} groups needs X[N, C, ...] and W[M, C/${attrs.group}, ...]; ` +
          `got ${formatType(X)} and ${formatType(W)}`,
      );
    return [{ dtype: X.dtype, shape: [n, filters, ...windows(X, W, attrs).counts] }];
  },
  grad: {
    X: (emit, { X, W }, _out, d, attrs) =>
      transposedConvolution(emit, d.Y, W, windows(X, W, attrs), attrs.group, X.shape),
    W: (emit, { X, W }, _out, d, attrs) =>
      filterGradient(emit, X, d.Y, windows(X, W, attrs), attrs.group),
    B: (emit, _at, _out, d) => sumOverChannels(emit, d.Y),
  },
  flops: ({ W }, [Y]) => 2 * numel(Y?.shape ?? []) * numel(W.shape.slice(1)),
  evaluate: ({ X, W, B }, attrs, [Y]) => [convolve(X, W, B, windows(X, W, attrs), attrs.group, Y)],
});

type ConvAttrs = WindowAttrs & { readonly group: number };

const windows = (X: TensorType, W: TensorType, attrs: ConvAttrs): Windows =>
  windowsOf("Conv", X, W.shape.slice(2), attrs);
