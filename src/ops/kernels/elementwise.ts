/** Elementwise arithmetic on host arrays, rounded to the output's type. */
import { invariant } from "../../errors.ts";
import {
  allocate,
  type HostArray,
  type Numbers,
  numel,
  type TensorType,
} from "../../graph/tensor.ts";
import { roundTo } from "./round.ts";
import { stridedIndex } from "./strided.ts";

export function elementwise1(
  A: HostArray,
  out: TensorType | undefined,
  f: (a: number) => number,
): HostArray {
  invariant(out, "elementwise1 needs an output type");
  const data = allocate(out.dtype, A.data.length);
  for (let i = 0; i < data.length; i++) data[i] = f(A.data[i] as number);
  roundTo(out.dtype, data);
  return { dtype: out.dtype, shape: out.shape, data };
}

export function elementwise2(
  A: HostArray,
  B: HostArray,
  out: TensorType | undefined,
  f: (a: number, b: number) => number,
): HostArray {
  invariant(out, "elementwise2 needs an output type");
  const data = allocate(out.dtype, numel(out.shape));
  if (B.data.length === 1 && A.data.length === data.length) {
    const b = B.data[0] as number;
    for (let i = 0; i < data.length; i++) data[i] = f(A.data[i] as number, b);
  } else if (A.data.length === 1 && B.data.length === data.length) {
    const a = A.data[0] as number;
    for (let i = 0; i < data.length; i++) data[i] = f(a, B.data[i] as number);
  } else {
    const a = broadcastIndex(A.shape, out.shape);
    const b = broadcastIndex(B.shape, out.shape);
    for (let i = 0; i < data.length; i++) data[i] = f(at(A.data, a, i), at(B.data, b, i));
  }
  roundTo(out.dtype, data);
  return { dtype: out.dtype, shape: out.shape, data };
}

/** Any number of arrays, two at a time from the left. */
export function elementwiseAll(
  arrays: readonly HostArray[],
  out: TensorType | undefined,
  f: (a: number, b: number) => number,
): HostArray {
  invariant(out && arrays[0], "elementwiseAll needs an array and an output type");
  const [first, ...others] = arrays;
  const start = elementwise2(first, first, out, (a) => a);
  return others.reduce((total, next) => elementwise2(total, next, out, f), start);
}

const at = (data: Numbers, index: Int32Array | null, i: number): number =>
  data[index === null ? i : (index[i] as number)] as number;

/**
 * For each element of `to`, the element of the array of shape `from` that it reads; null: the same.
 */
export function broadcastIndex(from: readonly number[], to: readonly number[]): Int32Array | null {
  const rank = to.length;
  const strides = new Array<number>(rank).fill(0);
  let step = 1;
  let same = true;
  for (let axis = rank - 1; axis >= 0; axis--) {
    const size = from[axis - rank + from.length] ?? 1;
    strides[axis] = size === 1 ? 0 : step;
    if (size !== to[axis]) same = false;
    step *= size;
  }
  return same ? null : stridedIndex(to, strides);
}
