/** Which elements a strided view of an array reads, and arrays made of chosen elements. */
import { invariant } from "../../errors.ts";
import {
  allocate,
  type HostArray,
  type Numbers,
  numel,
  type TensorType,
} from "../../graph/tensor.ts";

/** The offsets that a walk over `shape` in row-major order visits with these strides. */
export function stridedIndex(
  shape: readonly number[],
  strides: readonly number[],
  start = 0,
): Int32Array {
  const index = new Int32Array(numel(shape));
  const counter = new Array<number>(shape.length).fill(0);
  let offset = start;
  for (let i = 0; i < index.length; i++) {
    index[i] = offset;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const next = (counter[axis] as number) + 1;
      const stride = strides[axis] as number;
      offset += stride;
      if (next < (shape[axis] as number)) {
        counter[axis] = next;
        break;
      }
      offset -= next * stride;
      counter[axis] = 0;
    }
  }
  return index;
}

/** The elements of `data` at `index`, as an array of type `out`. */
export function pick(data: Numbers, index: Int32Array, out: TensorType | undefined): HostArray {
  invariant(out, "pick needs an output type");
  const picked = allocate(out.dtype, index.length);
  for (let i = 0; i < index.length; i++) picked[i] = data[index[i] as number] as number;
  return { dtype: out.dtype, shape: out.shape, data: picked };
}

/**
 * Offsets of a grid in row-major order: the sum of one place of each axis, −1 where one of them is
 * −1.
 */
export function gridIndex(places: readonly (readonly number[])[]): Int32Array {
  let index = new Int32Array(1);
  for (const along of places) {
    const next = new Int32Array(index.length * along.length);
    let to = 0;
    for (const start of index)
      for (const place of along) next[to++] = start < 0 || place < 0 ? -1 : start + place;
    index = next;
  }
  return index;
}
