/** Convolutions and pools on the host, window by window. */
import { invariant } from "../../errors.ts";
import {
  allocate,
  contiguousStrides,
  type HostArray,
  numel,
  type TensorType,
} from "../../graph/tensor.ts";
import type { Windows } from "../windows.ts";
import { roundTo } from "./round.ts";
import { stridedIndex } from "./strided.ts";

/**
 * Where one element of a window lies: offsets within the filter and within one channel of the
 * image.
 */
interface Tap {
  readonly inKernel: number;
  readonly inImage: number;
}

/** For each window in order, the elements of it that are not padding. */
export function taps(sizes: readonly number[], windows: Windows): Tap[][] {
  const { kernel, strides, dilations, before, counts } = windows;
  const imageStrides = contiguousStrides(sizes);
  const places = (shape: readonly number[]) => {
    const own = contiguousStrides(shape);
    return Array.from(stridedIndex(shape, own), (flat) =>
      shape.map((size, k) => Math.floor(flat / (own[k] as number)) % size),
    );
  };
  const elements = places(kernel);
  return places(counts).map((window) =>
    elements.flatMap((element, inKernel) => {
      let inImage = 0;
      for (const [k, size] of sizes.entries()) {
        const start = (window[k] as number) * (strides[k] as number) - (before[k] as number);
        const at = start + (element[k] as number) * (dilations[k] as number);
        if (at < 0 || at >= size) return [];
        inImage += at * (imageStrides[k] as number);
      }
      return [{ inKernel, inImage }];
    }),
  );
}

export function convolve(
  X: HostArray,
  W: HostArray,
  B: HostArray | null,
  windows: Windows,
  group: number,
  out: TensorType | undefined,
): HostArray {
  invariant(out, "convolve needs an output type");
  const data = allocate(out.dtype, numel(out.shape));
  const [n = 0, filters = 0] = out.shape;
  visit(X, W, n, filters, windows, group, ({ inX, inW, window, filter, image, perImage }) => {
    const to = (image * filters + filter) * perImage + window;
    data[to] = (data[to] as number) + (X.data[inX] as number) * (W.data[inW] as number);
  });
  return finish(out, data, B);
}

export function convolveTransposed(
  X: HostArray,
  W: HostArray,
  B: HostArray | null,
  windows: Windows,
  group: number,
  out: TensorType | undefined,
): HostArray {
  invariant(out, "convolveTransposed needs an output type");
  const data = allocate(out.dtype, numel(out.shape));
  const [n = 0, filters = 0] = X.shape;
  visit(out, W, n, filters, windows, group, ({ inX, inW, window, filter, image, perImage }) => {
    const from = (image * filters + filter) * perImage + window;
    data[inX] = (data[inX] as number) + (X.data[from] as number) * (W.data[inW] as number);
  });
  return finish(out, data, B);
}

interface Product {
  readonly inX: number;
  readonly inW: number;
  readonly window: number;
  readonly filter: number;
  readonly image: number;
  /** Windows of one image. */
  readonly perImage: number;
}

/** Every product of an element of the images with one of a filter. */
function visit(
  images: TensorType,
  W: TensorType,
  n: number,
  filters: number,
  windows: Windows,
  group: number,
  each: (product: Product) => void,
): void {
  const channels = images.shape[1] as number;
  const perGroup = W.shape[1] as number;
  const area = numel(images.shape.slice(2));
  const kernelArea = numel(windows.kernel);
  const windowTaps = taps(images.shape.slice(2), windows);
  const perImage = windowTaps.length;
  for (let image = 0; image < n; image++)
    for (let filter = 0; filter < filters; filter++) {
      const first = Math.floor((filter * group) / filters) * perGroup;
      for (let c = 0; c < perGroup; c++)
        windowTaps.forEach((elements, window) => {
          for (const { inKernel, inImage } of elements)
            each({
              inX: (image * channels + first + c) * area + inImage,
              inW: (filter * perGroup + c) * kernelArea + inKernel,
              window,
              filter,
              image,
              perImage,
            });
        });
    }
}

function finish(out: TensorType, data: HostArray["data"], B: HostArray | null): HostArray {
  const area = numel(out.shape.slice(2));
  if (B !== null)
    for (let i = 0; i < data.length; i++)
      data[i] = (data[i] as number) + (B.data[Math.floor(i / area) % B.data.length] as number);
  roundTo(out.dtype, data);
  return { dtype: out.dtype, shape: out.shape, data };
}
