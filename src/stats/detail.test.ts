import { expect, test } from "vitest";
import type { Numbers } from "../graph/tensor.ts";
import { detailOf as ofShape } from "./detail.ts";

const detailOf = (data: Numbers) => ofShape(data, [data.length]);

test("counts elements by sign and exponent", () => {
  const data = Float32Array.of(1, 1.5, 2, -0.3, 0, -0, Number.NaN, Number.POSITIVE_INFINITY);
  expect(detailOf(data).histogram).toEqual({
    least: -2,
    negative: [1, 0, 0, 0],
    positive: [0, 0, 2, 1],
    zeros: 2,
  });
  expect(detailOf(Float32Array.of(0)).histogram).toMatchObject({ positive: [], zeros: 1 });
});

test("puts numbers just below a power of two in the bin below it", () => {
  const below = 2 ** 29 * (1 - 2 ** -53);
  expect(detailOf(Float64Array.of(below)).histogram.least).toBe(28);
  expect(detailOf(Float64Array.of(2 ** 29, 5e-324)).histogram.least).toBe(-1074);
});

test("takes percentiles of the finite elements, linear between neighbours", () => {
  const data = Float32Array.from({ length: 102 }, (_, i) => (i === 50 ? Number.NaN : i));
  expect(detailOf(data).percentiles).toEqual({ p1: 1, p50: 51, p99: 100 });
  expect(detailOf(Float32Array.of(Number.NaN)).percentiles.p50).toBe("NaN");
});

test("says what narrower formats lose", () => {
  const { losses } = detailOf(
    Float64Array.of(465, 464, 65519, 65520, 3.4e38, 2 ** -25, 2 ** -24, 2 ** -134, 2 ** -10, 0),
  );
  expect(losses).toEqual({
    float16: { flushed: 0.2, overflowed: 0.2 },
    bfloat16: { flushed: 0.1, overflowed: 0.1 },
    float8_e4m3fn: { flushed: 0.4, overflowed: 0.4 },
    float8_e5m2: { flushed: 0.3, overflowed: 0.3 },
  });
});
