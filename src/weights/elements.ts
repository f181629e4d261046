/** Element types as checkpoints store them, and their numbers as `Numbers` holds them. */
import { type DType, type Numbers, toInteger } from "../graph/tensor.ts";
import { roundTo } from "../ops/kernels/round.ts";

/** PyTorch's names without "torch.". */
export type Element = keyof typeof elements;

interface ElementInfo {
  /** Of one element in the file. */
  readonly bytes: number;
  /** The type of a tensor of such elements; `complex` has two of them per element. */
  readonly dtype: DType;
  readonly complex?: boolean;
  /** `dtype` is not the element type itself but one that holds all of its numbers. */
  readonly widened?: boolean;
}

const elements = {
  float64: { bytes: 8, dtype: "float64" },
  float32: { bytes: 4, dtype: "float32" },
  float16: { bytes: 2, dtype: "float16" },
  bfloat16: { bytes: 2, dtype: "bfloat16" },
  float8_e4m3fn: { bytes: 1, dtype: "float32", widened: true },
  float8_e5m2: { bytes: 1, dtype: "float32", widened: true },
  complex64: { bytes: 8, dtype: "float32", complex: true },
  complex128: { bytes: 16, dtype: "float64", complex: true },
  int64: { bytes: 8, dtype: "int64" },
  int32: { bytes: 4, dtype: "int32" },
  int16: { bytes: 2, dtype: "int16" },
  int8: { bytes: 1, dtype: "int8" },
  uint64: { bytes: 8, dtype: "int64", widened: true },
  uint32: { bytes: 4, dtype: "int64", widened: true },
  uint16: { bytes: 2, dtype: "int32", widened: true },
  uint8: { bytes: 1, dtype: "uint8" },
  bool: { bytes: 1, dtype: "bool" },
} as const satisfies Record<string, ElementInfo>;

export const elementInfo = (element: Element): ElementInfo => elements[element];

export const isElement = (name: string): name is Element => Object.hasOwn(elements, name);

type Reader = (view: DataView, at: number, little: boolean) => number;

/** float8: 1 sign bit, then exponent and mantissa; `bias` as the format's paper gives it. */
function float8(exponentBits: number, bias: number, special: (byte: number) => number | null) {
  const mantissaBits = 7 - exponentBits;
  const table = Float32Array.from({ length: 256 }, (_, byte) => {
    const found = special(byte & 0x7f);
    const sign = byte & 0x80 ? -1 : 1;
    if (found !== null) return sign * found;
    const exponent = (byte & 0x7f) >> mantissaBits;
    const mantissa = (byte & ((1 << mantissaBits) - 1)) / (1 << mantissaBits);
    const size =
      exponent === 0 ? mantissa * 2 ** (1 - bias) : (1 + mantissa) * 2 ** (exponent - bias);
    return sign * size;
  });
  return (view: DataView, at: number): number => table[view.getUint8(at)] as number;
}

const float16Bits = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
};

let float16Table: Float32Array | null = null;

function float16(view: DataView, at: number, little: boolean): number {
  float16Table ??= Float32Array.from({ length: 1 << 16 }, (_, bits) => float16Bits(bits));
  return float16Table[view.getUint16(at, little)] as number;
}

const bits32 = new DataView(new ArrayBuffer(4));

function bfloat16(view: DataView, at: number, little: boolean): number {
  bits32.setUint16(0, view.getUint16(at, little));
  return bits32.getFloat32(0);
}

const float64: Reader = (view, at, little) => view.getFloat64(at, little);
const float32: Reader = (view, at, little) => view.getFloat32(at, little);

/** One number of each element type; a complex element is two. */
const readers: Readonly<Record<Element, Reader>> = {
  float64,
  float32,
  float16,
  bfloat16,
  // S.1111.111 is NaN, and there is no infinity.
  float8_e4m3fn: float8(4, 7, (byte) => (byte === 0x7f ? Number.NaN : null)),
  float8_e5m2: float8(5, 15, (byte) =>
    byte < 0x7c ? null : byte === 0x7c ? Number.POSITIVE_INFINITY : Number.NaN,
  ),
  complex64: float32,
  complex128: float64,
  int64: (view, at, little) => Number(view.getBigInt64(at, little)),
  int32: (view, at, little) => view.getInt32(at, little),
  int16: (view, at, little) => view.getInt16(at, little),
  int8: (view, at) => view.getInt8(at),
  uint64: (view, at, little) => Number(view.getBigUint64(at, little)),
  uint32: (view, at, little) => view.getUint32(at, little),
  uint16: (view, at, little) => view.getUint16(at, little),
  uint8: (view, at) => view.getUint8(at),
  bool: (view, at) => (view.getUint8(at) === 0 ? 0 : 1),
};

/**
 * Writes the elements of `bytes` to out[at], out[at + 1], …, cast to `dtype` as PyTorch's copy_
 * casts: to the nearest float, towards zero for integers, whether it is zero for bool.
 */
export function decodeElements(
  bytes: Uint8Array,
  { element, little }: { readonly element: Element; readonly little: boolean },
  out: Numbers,
  at: number,
  dtype: DType,
): void {
  const info = elementInfo(element);
  const size = info.complex ? info.bytes / 2 : info.bytes;
  const count = bytes.length / size;
  if (element === "float32" && dtype === "float32" && little) {
    const copied = new Uint8Array(out.buffer, out.byteOffset + 4 * at, bytes.length);
    copied.set(bytes);
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = readers[element];
  const toBool = dtype === "bool";
  for (let i = 0; i < count; i++) {
    const x = read(view, i * size, little);
    out[at + i] = toBool ? Number(x !== 0) : x;
  }
  const written = out.subarray(at, at + count);
  if (dtype === "int64")
    for (let i = 0; i < count; i++) written[i] = toInteger(written[i] as number);
  else if (dtype !== info.dtype) roundTo(dtype, written);
}
