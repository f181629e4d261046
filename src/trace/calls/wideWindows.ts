/** Convolutions and means of windows in double precision and of integers, for which no provider has a kernel. */
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { addAlongAxis, padBy, reshapeTo, transpose } from "../../ops/write.ts";

/** Of ONNX's Conv: pads before each axis, then after each. */
interface Geometry {
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly pads: readonly number[];
}

interface Grouped extends Geometry {
  readonly group: number;
}

/** Where on a padded axis each tap of the kernel lies in each window: tap by tap. */
function placesAlong(taps: number, windows: number, stride: number, dilation: number): number[] {
  return Array.from({ length: taps * windows }, (_, at) => {
    const tap = Math.floor(at / windows);
    return (at % windows) * stride + tap * dilation;
  });
}

/** [0, 1, 2, 4, …, 3, 5, …]: of axes that alternate after two, the even ones first. */
const tapsFirst = (rank: number): number[] => [
  0,
  1,
  ...Array.from({ length: rank }, (_, k) => 2 + 2 * k),
  ...Array.from({ length: rank }, (_, k) => 3 + 2 * k),
];

interface Patches {
  /** [N, C, taps, windows] */
  readonly value: Value;
  readonly counts: readonly number[];
}

/** The elements of each window of x[N, C, …]. */
function patchesOf(
  emit: Emit,
  x: Value,
  kernel: readonly number[],
  { strides, dilations, pads }: Geometry,
): Patches {
  const rank = kernel.length;
  const padded = padBy(emit, x, [0, 0, ...pads.slice(0, rank)], [0, 0, ...pads.slice(rank)]);
  const counts = kernel.map((taps, k) => {
    const span = (taps - 1) * (dilations[k] as number) + 1;
    return Math.floor(((padded.shape[k + 2] as number) - span) / (strides[k] as number)) + 1;
  });
  const gathered = kernel.reduce((held, taps, k) => {
    const [count, stride, dilation] = [counts[k], strides[k], dilations[k]] as [
      number,
      number,
      number,
    ];
    const places = placesAlong(taps, count, stride, dilation);
    return emit.op("Gather", [held, emit.ints(places)], { axis: k + 2 });
  }, padded);
  const [n, channels] = x.shape as [number, number];
  const apart = reshapeTo(emit, gathered, [
    n,
    channels,
    ...kernel.flatMap((taps, k) => [taps, counts[k] as number]),
  ]);
  const shape = [n, channels, numel(kernel), numel(counts)];
  return { value: reshapeTo(emit, transpose(emit, apart, tapsFirst(rank)), shape), counts };
}

const addBias = (emit: Emit, y: Value, bias: Value | null): Value =>
  bias === null
    ? y
    : emit.op("Add", [y, reshapeTo(emit, bias, [-1, ...y.shape.slice(2).map(() => 1)])]);

/** X[N, C, …] and W[M, C / group, …]: the product of the filters with each window's elements. */
export function wideConvolution(
  emit: Emit,
  x: Value,
  w: Value,
  bias: Value | null,
  { group, ...geometry }: Grouped,
): Value {
  const [filters, perGroup, ...kernel] = w.shape as [number, number, ...number[]];
  const { value, counts } = patchesOf(emit, x, kernel, geometry);
  const [n, , taps, windows] = value.shape as [number, number, number, number];
  const columns = reshapeTo(emit, value, [n, group, perGroup * taps, windows]);
  const rows = reshapeTo(emit, w, [group, filters / group, perGroup * taps]);
  const product = emit.op("MatMul", [rows, columns]);
  return addBias(emit, reshapeTo(emit, product, [n, filters, ...counts]), bias);
}

/** X[N, C, …] and W[C, M / group, …]: what each element gives to its window, summed where they overlap. */
export function wideTransposedConvolution(
  emit: Emit,
  x: Value,
  w: Value,
  bias: Value | null,
  {
    group,
    strides,
    dilations,
    pads,
    output_padding,
  }: Grouped & { readonly output_padding: readonly number[] },
): Value {
  const [n, channels, ...counts] = x.shape as [number, number, ...number[]];
  const [, perGroup, ...kernel] = w.shape as [number, number, ...number[]];
  const rank = kernel.length;
  const filters = transpose(
    emit,
    reshapeTo(emit, w, [group, channels / group, perGroup * numel(kernel)]),
    [0, 2, 1],
  );
  const columns = reshapeTo(emit, x, [n, group, channels / group, numel(counts)]);
  const product = emit.op("MatMul", [filters, columns]);
  const apart = reshapeTo(emit, product, [n, perGroup * group, ...kernel, ...counts]);
  const order = tapsFirst(rank);
  const beside = transpose(
    emit,
    apart,
    order.map((_, at) => order.indexOf(at)),
  );
  const flat = reshapeTo(emit, beside, [
    n,
    perGroup * group,
    ...kernel.map((taps, k) => taps * (counts[k] as number)),
  ]);
  const whole = kernel.reduce((held, taps, k) => {
    const [count, stride, dilation] = [counts[k], strides[k], dilations[k]] as [
      number,
      number,
      number,
    ];
    const size = (count - 1) * stride + (taps - 1) * dilation + 1 + (output_padding[k] as number);
    const places = emit.ints(placesAlong(taps, count, stride, dilation));
    return addAlongAxis(emit, held, k + 2, places, size);
  }, flat);
  const cut = pads.map((pad) => 0 - pad);
  const y = padBy(emit, whole, [0, 0, ...cut.slice(0, rank)], [0, 0, ...cut.slice(rank)]);
  return addBias(emit, y, bias);
}

/** The mean of each window, padding counting as zeros. */
export function wideMeans(
  emit: Emit,
  x: Value,
  kernel: readonly number[],
  geometry: Geometry,
): Value {
  const { value, counts } = patchesOf(emit, x, kernel, geometry);
  const means = emit.op("ReduceMean", [value, emit.ints([2])], { keepdims: 0 });
  return reshapeTo(emit, means, [...x.shape.slice(0, 2), ...counts]);
}
