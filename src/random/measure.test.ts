import { expect, test } from "vitest";
import { createGenerator, fill } from "./generator.ts";
import { measure } from "./measure.ts";

/** In two passes, as one would write it down. */
function simple(numbers: Float32Array) {
  const count = numbers.length;
  const mean = numbers.reduce((a, b) => a + b, 0) / count;
  return {
    count,
    mean,
    deviations: numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0),
    min: numbers.reduce((a, b) => Math.min(a, b)),
    max: numbers.reduce((a, b) => Math.max(a, b)),
    zeros: numbers.reduce((sum, x) => sum + (x === 0 ? 1 : 0), 0),
  };
}

const normals = (count: number, mean: number, std: number): Float32Array => {
  const out = new Float32Array(count);
  fill(createGenerator(count), "normal", out, { mean, std, dtype: "float32" });
  return out;
};

function check(numbers: Float32Array): void {
  const [found, wanted] = [measure(numbers), simple(numbers)];
  expect(found).toMatchObject({ count: wanted.count, min: wanted.min, max: wanted.max });
  expect(found?.zeros).toBe(wanted.zeros);
  expect(found?.mean).toBeCloseTo(wanted.mean, 12);
  expect(found?.deviations).toBeCloseTo(wanted.deviations, 6);
}

test("measures any number of elements", () => {
  for (const count of [1, 2, 3, 4, 5, 16383, 16384, 16385, 40_001]) check(normals(count, 0, 1));
});

test("keeps the deviation beside a large mean", () => {
  check(normals(100_000, 1000, 1e-2));
});

test("counts zeros of both signs, the first and the last", () => {
  check(Float32Array.of(0, 1, -0, -2, 3, 0));
  check(Float32Array.of(0));
  check(new Float32Array(20_000));
});

test("leaves what is not finite to others", () => {
  expect(measure(new Float32Array(0))).toBeNull();
  for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(measure(Float32Array.of(1, x, 2))).toBeNull();
    expect(measure(Float32Array.of(x, 1))).toBeNull();
  }
});
