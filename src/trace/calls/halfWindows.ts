/** Transposed convolutions in float16: PyTorch rounds what each tap of the kernel adds. */
import type { Emit, Value } from "../../graph/graph.ts";
import { numel, positionAt } from "../../graph/tensor.ts";
import { padBy, reshapeTo, sliceAxis, transpose, zerosOf } from "../../ops/write.ts";
import { filterGradient, sumOverChannels } from "../../ops/writeConv.ts";
import type { CallContext } from "../call.ts";
import { rounded } from "../rounding.ts";

/** Of ONNX's Conv: pads before each axis, then after each. */
interface Geometry {
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly pads: readonly number[];
  readonly group: number;
}

/** Kernels with more taps are summed in single precision: each tap is a few nodes. */
const mostTaps = 32;

export const hasFewTaps = (w: Value): boolean => numel(w.shape.slice(2)) <= mostTaps;

const held = (emit: Emit, x: Value): Value => rounded(emit, x, "float16");

/** `stride` − 1 zeros between the elements along an axis. */
function apartAlong(emit: Emit, x: Value, axis: number, stride: number): Value {
  const count = x.shape[axis] as number;
  if (stride === 1 || count === 1) return x;
  const column = reshapeTo(emit, x, x.shape.toSpliced(axis + 1, 0, 1));
  const none = column.shape.map(() => 0);
  const filled = padBy(emit, column, none, none.with(axis + 1, stride - 1));
  const flat = reshapeTo(emit, filled, x.shape.with(axis, count * stride));
  return sliceAxis(emit, flat, axis, 0, (count - 1) * stride + 1);
}

/** What X[N, C, …] gives through W[C, M / group, …] to `sizes`, the pads before each axis cut off. */
export function steppedTransposed(
  emit: Emit,
  x: Value,
  w: Value,
  { strides, dilations, pads, group }: Geometry,
  sizes: readonly number[],
): Value {
  const [n, channels, ...counts] = x.shape as [number, number, ...number[]];
  const [, perGroup, ...kernel] = w.shape as [number, number, ...number[]];
  const taps = numel(kernel);
  const filters = reshapeTo(emit, w, [group, channels / group, perGroup * taps]);
  const rows = reshapeTo(emit, x, [n, group, channels / group, numel(counts)]);
  const product = held(emit, emit.op("MatMul", [transpose(emit, filters, [0, 2, 1]), rows]));
  const columns = reshapeTo(emit, product, [n, perGroup * group, taps, ...counts]);
  const whole = sizes.map((size, k) => {
    const span = ((kernel[k] as number) - 1) * (dilations[k] as number) + 1;
    const covered = ((counts[k] as number) - 1) * (strides[k] as number) + span;
    return Math.max(covered, size + (pads[k] as number));
  });
  let sum = zerosOf(emit, x.dtype, [n, perGroup * group, ...whole]);
  for (let tap = 0; tap < taps; tap++) {
    const alone = sliceAxis(emit, columns, 2, tap, tap + 1);
    const part = strides.reduce(
      (held, stride, k) => apartAlong(emit, held, k + 2, stride),
      reshapeTo(emit, alone, [n, perGroup * group, ...counts]),
    );
    const before = positionAt(tap, kernel).map((at, k) => at * (dilations[k] as number));
    const after = whole.map(
      (size, k) => size - (part.shape[k + 2] as number) - (before[k] as number),
    );
    const spread = padBy(emit, part, [0, 0, ...before], [0, 0, ...after]);
    sum = held(emit, emit.op("Add", [sum, spread]));
  }
  const cut = sizes.map((size, k) => size + (pads[k] as number) - (whole[k] as number));
  return padBy(emit, sum, [0, 0, ...sizes.map((_, k) => -(pads[k] as number))], [0, 0, ...cut]);
}

/** A convolution in float16 whose gradient by X is rounded tap by tap. */
export function halfConvolution(
  emit: CallContext["emit"],
  x: Value,
  w: Value,
  bias: Value | null,
  geometry: Geometry,
): Value {
  const rank = geometry.strides.length;
  const [before, after] = [geometry.pads.slice(0, rank), geometry.pads.slice(rank)];
  const [y] = emit.grouped(
    [x, w, ...(bias ? [bias] : [])],
    () => [emit.op("Conv", [x, w, bias], { ...geometry })],
    (backward, [d]) => {
      if (!d || !y) return [null];
      const { strides, dilations, group } = geometry;
      const kernel = w.shape.slice(2);
      const windows = { kernel, strides, dilations, before, after, counts: y.shape.slice(2) };
      return [
        x.requiresGrad ? steppedTransposed(backward, d, w, geometry, x.shape.slice(2)) : null,
        w.requiresGrad ? filterGradient(backward, x, d, windows, group) : null,
        bias ? sumOverChannels(backward, d) : null,
      ];
    },
  );
  return y as Value;
}

/** A transposed convolution in float16, summed tap by tap, to which the bias is added at last. */
export function halfTransposedConvolution(
  emit: CallContext["emit"],
  x: Value,
  w: Value,
  bias: Value | null,
  { output_padding, ...geometry }: Geometry & { readonly output_padding: readonly number[] },
): Value {
  const { strides, dilations, pads, group } = geometry;
  const rank = strides.length;
  const kernel = w.shape.slice(2);
  const counts = x.shape.slice(2);
  const sizes = counts.map((count, k) => {
    const span = ((kernel[k] as number) - 1) * (dilations[k] as number) + 1;
    const cut = (pads[k] as number) + (pads[k + rank] as number);
    return (count - 1) * (strides[k] as number) + span + (output_padding[k] as number) - cut;
  });
  const [y] = emit.grouped(
    [x, w, ...(bias ? [bias] : [])],
    () => {
      const sum = steppedTransposed(emit, x, w, geometry, sizes);
      if (bias === null) return [sum];
      return [emit.op("Add", [sum, reshapeTo(emit, bias, [-1, ...kernel.map(() => 1)])])];
    },
    (backward, [d]) => {
      if (!d) return [null];
      const [before, after] = [pads.slice(0, rank), pads.slice(rank)];
      const windows = { kernel, strides, dilations, before, after, counts };
      return [
        x.requiresGrad ? backward.op("Conv", [d, w], { strides, dilations, pads, group }) : null,
        w.requiresGrad ? filterGradient(backward, d, x, windows, group) : null,
        bias ? sumOverChannels(backward, d) : null,
      ];
    },
  );
  return y as Value;
}
