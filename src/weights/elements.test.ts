import { expect, test } from "vitest";
import { allocate, type DType } from "../graph/tensor.ts";
import { decodeElements, type Element } from "./elements.ts";

function decoded(bytes: number[], element: Element, dtype: DType, count: number, little = true) {
  const out = allocate(dtype, count);
  decodeElements(Uint8Array.from(bytes), { element, little }, out, 0, dtype);
  return Array.from(out);
}

test("half precision, with subnormals and infinities", () => {
  const bytes = [0x00, 0x3c, 0x01, 0x00, 0x00, 0xfc, 0x00, 0x7e];
  expect(decoded(bytes, "float16", "float32", 4)).toEqual([1, 2 ** -24, -Infinity, NaN]);
  expect(decoded([0x80, 0x3f, 0x49, 0x40], "bfloat16", "float32", 2)).toEqual([1, 3.140625]);
});

test("eight-bit floats as their paper has them", () => {
  expect(decoded([0x7e, 0x7f, 0x01, 0xb8], "float8_e4m3fn", "float32", 4)).toEqual([
    448,
    NaN,
    2 ** -9,
    -1,
  ]);
  expect(decoded([0x7b, 0x7c, 0x7d, 0x01], "float8_e5m2", "float32", 4)).toEqual([
    57344,
    Infinity,
    NaN,
    2 ** -16,
  ]);
});

test("big-endian integers, and 64 bits", () => {
  expect(decoded([0xff, 0xfe], "int16", "int16", 1, false)).toEqual([-2]);
  const large = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
  expect(decoded(large, "int64", "float32", 1)).toEqual([-1]);
});

test("casts as copy_ does", () => {
  const bytes = Array.from(new Uint8Array(Float32Array.from([-1.75, 0, 0.3]).buffer));
  expect(decoded(bytes, "float32", "int64", 3)).toEqual([-1, 0, 0]);
  expect(decoded(bytes, "float32", "bool", 3)).toEqual([1, 0, 1]);
  expect(decoded(bytes, "float32", "bfloat16", 3)[2]).toBe(0.30078125);
});
