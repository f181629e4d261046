import { allocate, numel, type TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { roundTo } from "./kernels/round.ts";
import { taps } from "./kernels/windows.ts";
import { type WindowAttrs, type Windows, windowsOf } from "./windows.ts";
import { flatIn, reshapeTo } from "./write.ts";
import { channelsApart, transposedConvolution } from "./writeConv.ts";

/**
 * The mean of each window, with the padding as zeros if `count_include_pad`.
 * https://onnx.ai/onnx/operators/onnx__AveragePool.html
 */
export const averagePool = defineOp({
  type: "AveragePool",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { count_include_pad: 0 },
  infer: ({ X }, attrs: AveragePoolAttrs) => [
    { dtype: X.dtype, shape: [...X.shape.slice(0, 2), ...windows(X, attrs).counts] },
  ],
  grad: {
    // Each window's share, added to all of its elements: a transposed convolution with ones.
    X: (emit, { X }, _out, d, attrs) => {
      const all = windows(X, attrs);
      const shares = Float64Array.from(divisors(X, attrs), (count) => 1 / count);
      const weights = emit.constant({ dtype: "float64", shape: all.counts, data: shares });
      const share = emit.op("Mul", [d.Y, emit.op("Cast", [weights], { to: X.dtype })]);
      const ones = emit.constant({
        dtype: X.dtype,
        shape: [1, 1, ...all.kernel],
        data: allocate(X.dtype, numel(all.kernel)).fill(1),
      });
      const images = channelsApart(emit, share);
      const shape = [images.shape[0] as number, 1, ...X.shape.slice(2)];
      const sum = transposedConvolution(emit, images, ones, all, 1, shape);
      return flatIn(emit, X, reshapeTo(emit, sum, X.shape));
    },
  },
  flops: ({ X }, [Y], attrs) => numel(Y?.shape ?? []) * numel(windows(X, attrs).kernel),
  evaluate: ({ X }, attrs, [out]) => {
    const windowTaps = taps(X.shape.slice(2), windows(X, attrs));
    const counts = divisors(X, attrs);
    const area = numel(X.shape.slice(2));
    const shape = out?.shape ?? [];
    const data = allocate(X.dtype, numel(shape));
    for (let i = 0; i < data.length; i++) {
      const window = i % windowTaps.length;
      const start = Math.floor(i / windowTaps.length) * area;
      const elements = windowTaps[window] ?? [];
      const sum = elements.reduce(
        (total, { inImage }) => total + (X.data[start + inImage] ?? 0),
        0,
      );
      data[i] = sum / (counts[window] ?? 1);
    }
    roundTo(X.dtype, data);
    return [{ dtype: X.dtype, shape, data }];
  },
});

type AveragePoolAttrs = WindowAttrs & { readonly count_include_pad: number };

const windows = (X: TensorType, attrs: AveragePoolAttrs): Windows =>
  windowsOf("AveragePool", X, attrs.kernel_shape ?? [], attrs);

/** By what each window's sum is divided: what lies behind the padding never counts. */
function divisors(X: TensorType, attrs: AveragePoolAttrs): number[] {
  const all = windows(X, attrs);
  if (!attrs.count_include_pad) return taps(X.shape.slice(2), all).map(({ length }) => length);
  const none = all.before.map(() => 0);
  const sizes = X.shape
    .slice(2)
    .map((size, k) => size + (all.before[k] ?? 0) + (all.after[k] ?? 0));
  return taps(sizes, { ...all, before: none }).map(({ length }) => length);
}
