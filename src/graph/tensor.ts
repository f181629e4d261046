/** Element types and arrays: what a value of a graph is made of, and its numbers where they are known. */

export type DType =
  | "float64"
  | "float32"
  | "float16"
  | "bfloat16"
  | "int64"
  | "int32"
  | "int16"
  | "int8"
  | "uint8"
  | "bool";

export interface TensorType {
  readonly dtype: DType;
  readonly shape: readonly number[];
}

/**
 * How each element type is held in JavaScript. Half precision is held as float32 whose values the
 * type can represent; int64 as float64 (exact to 2^53).
 */
export type Numbers =
  | Float64Array
  | Float32Array
  | Int32Array
  | Int16Array
  | Int8Array
  | Uint8Array;

/** A contiguous, row-major array with known numbers. */
export interface HostArray extends TensorType {
  readonly data: Numbers;
}

/** Whether its numbers are those of its type: a double does not hold every int64. */
export const isHeldExactly = ({ dtype, data }: HostArray): boolean =>
  dtype !== "int64" || data.every((x) => Math.abs(x) <= Number.MAX_SAFE_INTEGER);

/** The int64 that a double stands for: 2⁶³, to which the largest is rounded, for the largest. */
export const int64Of = (x: number): bigint => (x < 2 ** 63 ? BigInt(x) : 2n ** 63n - 1n);

export const isFloat = (dtype: DType): boolean =>
  dtype === "float32" || dtype === "float16" || dtype === "bfloat16" || dtype === "float64";

export const isHalf = (dtype: DType): boolean => dtype === "float16" || dtype === "bfloat16";

/** Towards zero; integers have no negative 0. */
export const toInteger = (x: number): number => Math.trunc(x) + 0;

export const isInteger = (dtype: DType): boolean => !isFloat(dtype) && dtype !== "bool";

/** Where element `flat` of a row-major tensor of `shape` lies along each axis. */
export function positionAt(flat: number, shape: readonly number[]): number[] {
  const position = new Array<number>(shape.length).fill(0);
  let rest = flat;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] as number;
    position[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return position;
}

/** Bytes of one element as PyTorch and ONNX store it (not as `Numbers` holds it). */
export const bytesOf: Readonly<Record<DType, number>> = {
  float64: 8,
  float32: 4,
  float16: 2,
  bfloat16: 2,
  int64: 8,
  int32: 4,
  int16: 2,
  int8: 1,
  uint8: 1,
  bool: 1,
};

export function numel(shape: readonly number[]): number {
  let n = 1;
  for (const size of shape) n *= size;
  return n;
}

export function allocate(dtype: DType, length: number): Numbers {
  switch (dtype) {
    case "float64":
    case "int64":
      return new Float64Array(length);
    case "float32":
    case "float16":
    case "bfloat16":
      return new Float32Array(length);
    case "int32":
      return new Int32Array(length);
    case "int16":
      return new Int16Array(length);
    case "int8":
      return new Int8Array(length);
    case "uint8":
    case "bool":
      return new Uint8Array(length);
  }
}

/** Row-major strides of a contiguous array, in elements. */
export function contiguousStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= Math.max(shape[axis] ?? 1, 1);
  }
  return strides;
}

export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, axis) => size === b[axis]);

/** `float32[2, 16, 64]`, as messages and printed graphs write it. */
export const formatType = ({ dtype, shape }: TensorType): string => `${dtype}[${shape.join(", ")}]`;
