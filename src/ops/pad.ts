import { allocate, contiguousStrides, type TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { gridIndex } from "./kernels/strided.ts";
import { axisOf, type Known, knownNumbers } from "./shapes.ts";
import { addAlongAxis, flatIn, padBy } from "./write.ts";

/**
 * `pads` (a constant: all begins, then all ends; negative: cut off) elements around each axis of
 * `axes`. https://onnx.ai/onnx/operators/onnx__Pad.html
 */
export const pad = defineOp({
  type: "Pad",
  inputs: ["data", "pads", "constant_value?", "axes?"],
  outputs: ["output"],
  attrs: { mode: "constant" },
  infer: ({ data, pads, axes }) => {
    const { before, after } = amounts(data, pads, axes);
    const shape = data.shape.map((size, k) => (before[k] ?? 0) + size + (after[k] ?? 0));
    return [{ dtype: data.dtype, shape }];
  },
  grad: {
    data: (emit, { data, pads, axes }, _out, d, { mode }) => {
      const { before, after } = amounts(data, pads, axes);
      const negated = (sizes: readonly number[]) => sizes.map((size) => 0 - size);
      if (mode === "constant") return padBy(emit, d.output, negated(before), negated(after));
      const sum = sources(data, before, after, mode).reduce((dX, source, axis) => {
        if (before[axis] === 0 && after[axis] === 0) return dX;
        return addAlongAxis(emit, dX, axis, emit.ints(source), data.shape[axis] ?? 0);
      }, d.output);
      return mode === "wrap" ? sum : flatIn(emit, data, sum);
    },
    pads: "none",
    constant_value: "none",
    axes: "none",
  },
  flops: () => 0,
  evaluate: ({ data, pads, constant_value, axes }, { mode }, [out]) => {
    const { before, after } = amounts(data, pads, axes);
    const strides = contiguousStrides(data.shape);
    const places = sources(data, before, after, mode).map((source, axis) =>
      source.map((at) => (at < 0 ? -1 : at * (strides[axis] as number))),
    );
    const index = gridIndex(places);
    const padded = allocate(data.dtype, index.length);
    const fill = constant_value?.data[0] ?? 0;
    index.forEach((from, i) => {
      padded[i] = from < 0 ? fill : (data.data[from] as number);
    });
    return [{ dtype: data.dtype, shape: out?.shape ?? [], data: padded }];
  },
});

function amounts(data: TensorType, pads: Known, axes: Known | null) {
  const given = knownNumbers("Pad", "pads", pads);
  const named = axes ? knownNumbers("Pad", "axes", axes) : data.shape.map((_, axis) => axis);
  const before = data.shape.map(() => 0);
  const after = data.shape.map(() => 0);
  named.forEach((axis, k) => {
    const at = axisOf("Pad", axis, data.shape.length);
    before[at] = given[k] ?? 0;
    after[at] = given[k + named.length] ?? 0;
  });
  return { before, after };
}

/** For each axis, which element of the input each element of the output is; −1: the constant. */
function sources(
  data: TensorType,
  before: readonly number[],
  after: readonly number[],
  mode: string,
): number[][] {
  return data.shape.map((size, axis) => {
    const first = before[axis] ?? 0;
    const length = first + size + (after[axis] ?? 0);
    return Array.from({ length }, (_, i) => sourceOf(i - first, size, mode));
  });
}

function sourceOf(at: number, size: number, mode: string): number {
  if (mode === "edge") return Math.min(Math.max(at, 0), size - 1);
  if (mode === "wrap") return ((at % size) + size) % size;
  if (mode === "reflect") {
    const period = Math.max(2 * (size - 1), 1);
    const within = ((at % period) + period) % period;
    return Math.min(within, period - within);
  }
  return at >= 0 && at < size ? at : -1;
}
