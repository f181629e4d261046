/** PyTorch fills a tensor in the order of its memory: a turned one in another order than its indices. */
import { allocate, type DType, type Numbers } from "../graph/tensor.ts";

/** The axes from the largest stride to the smallest; null: in the order of the indices. */
export function memoryOrder(shape: readonly number[], strides: readonly number[]): number[] | null {
  const axes = shape.map((_, axis) => axis);
  const isDense = shape.every((size, axis) => size === 1 || (strides[axis] ?? 0) > 0);
  const order = axes.toSorted((a, b) => (strides[b] ?? 0) - (strides[a] ?? 0));
  const turned = order.filter((axis) => shape[axis] !== 1);
  const isTurned = turned.some((axis, at) => at > 0 && axis < (turned[at - 1] ?? 0));
  return isDense && isTurned ? order : null;
}

/** Numbers that lie in the order of memory → row-major. */
export function toRowMajor(
  numbers: Numbers,
  dtype: DType,
  shape: readonly number[],
  order: readonly number[] | null,
): Numbers {
  if (order === null) return numbers;
  const steps = new Array<number>(shape.length).fill(0);
  let step = 1;
  for (const axis of order.toReversed()) {
    steps[axis] = step;
    step *= shape[axis] ?? 1;
  }
  const out = allocate(dtype, numbers.length);
  const index = new Array<number>(shape.length).fill(0);
  let from = 0;
  for (let at = 0; at < out.length; at++) {
    out[at] = numbers[from] as number;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      const next = (index[axis] ?? 0) + 1;
      from += steps[axis] ?? 0;
      index[axis] = next;
      if (next < size) break;
      index[axis] = 0;
      from -= size * (steps[axis] ?? 0);
    }
  }
  return out;
}
