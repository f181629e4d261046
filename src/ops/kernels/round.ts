/** Rounding to element types that JavaScript has no array for, to nearest, ties to even. */
import type { DType, Numbers } from "../../graph/tensor.ts";

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

export function roundBfloat16(x: number): number {
  float[0] = x;
  const b = bits[0] as number;
  if ((b & 0x7f800000) === 0x7f800000) return float[0] as number;
  bits[0] = (b + 0x7fff + ((b >>> 16) & 1)) & 0xffff0000;
  return float[0] as number;
}

/** 65504 is the largest; from 65520 on infinity; subnormals in steps of 2⁻²⁴; a 0 keeps the sign. */
export function roundFloat16(x: number): number {
  const a = Math.abs(x);
  if (!(a < 65520)) return a >= 65520 ? Math.sign(x) * Number.POSITIVE_INFINITY : x;
  if (a === 0) return x;
  const exponent = Math.max(Math.floor(Math.log2(a)), -14);
  const step = 2 ** (exponent - 10);
  const scaled = a / step;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const even = floor % 2 === 0 ? floor : floor + 1;
  return Math.sign(x) * (rest > 0.5 ? floor + 1 : rest < 0.5 ? floor : even) * step;
}

/** A sum as an accumulator for elements of a type holds it: of all but double precision a float32. */
export const accumulated = (dtype: DType, sum: number): number =>
  dtype === "float64" ? sum : Math.fround(sum);

/** Rounds in place where the array that holds a type is wider than the type. */
export function roundTo(dtype: DType, data: Numbers): void {
  if (dtype === "float16")
    for (let i = 0; i < data.length; i++) data[i] = roundFloat16(data[i] as number);
  else if (dtype === "bfloat16")
    for (let i = 0; i < data.length; i++) data[i] = roundBfloat16(data[i] as number);
  // Integers of 64 bits lie in an array of float64, and have no negative 0.
  else if (dtype === "int64")
    for (let i = 0; i < data.length; i++) data[i] = (data[i] as number) + 0;
}
