/** An array's numbers as the bytes that ONNX stores (little-endian), and back. */
import {
  allocate,
  bytesOf,
  type DType,
  type HostArray,
  int64Of,
  type Numbers,
  numel,
} from "./tensor.ts";

/** A view of the array's own memory where the element type is held as ONNX stores it, else a copy. */
export function toBytes({ dtype, data }: Pick<HostArray, "dtype" | "data">): Uint8Array {
  if (dtype === "int64") return viewOf(BigInt64Array.from(data, int64Of));
  if (dtype === "float16") return viewOf(Uint16Array.from(data, float16Bits));
  if (dtype === "bfloat16") return viewOf(Uint16Array.from(data, bfloat16Bits));
  return viewOf(data);
}

/** The numbers of `shape` from the first bytes, of which there must be enough. */
export function fromBytes(dtype: DType, shape: readonly number[], bytes: Uint8Array): Numbers {
  const length = numel(shape);
  // A copy, because a view must begin at a multiple of the element's size; a Buffer's slice is none.
  const own = Uint8Array.prototype.slice.call(bytes, 0, length * bytesOf[dtype]);
  const numbers = allocate(dtype, length);
  if (dtype === "int64") return fill(numbers, new BigInt64Array(own.buffer), Number);
  if (dtype === "float16") return fill(numbers, new Uint16Array(own.buffer), fromFloat16Bits);
  if (dtype === "bfloat16") return fill(numbers, new Uint16Array(own.buffer), fromBfloat16Bits);
  viewOf(numbers).set(own);
  return numbers;
}

const viewOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function fill<T>(numbers: Numbers, source: ArrayLike<T>, convert: (item: T) => number): Numbers {
  for (let at = 0; at < numbers.length; at++) numbers[at] = convert(source[at] as T);
  return numbers;
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** `x` is a float16 already: nothing is rounded. */
function float16Bits(x: number): number {
  float[0] = x;
  const b = bits[0] as number;
  const sign = (b >>> 16) & 0x8000;
  if (Number.isNaN(x)) return 0x7e00;
  const size = Math.abs(x);
  if (size === Number.POSITIVE_INFINITY) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | (size * 2 ** 24);
  const exponent = ((b >>> 23) & 0xff) - 127 + 15;
  return sign | (exponent << 10) | ((b >>> 13) & 0x3ff);
}

function fromFloat16Bits(h: number): number {
  const sign = h & 0x8000 ? -1 : 1;
  const exponent = (h >>> 10) & 0x1f;
  const fraction = h & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function bfloat16Bits(x: number): number {
  float[0] = x;
  return (bits[0] as number) >>> 16;
}

function fromBfloat16Bits(b: number): number {
  bits[0] = b << 16;
  return float[0] as number;
}
