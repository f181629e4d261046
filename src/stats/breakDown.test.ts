import { expect, test } from "vitest";
import { breakDown } from "./breakDown.ts";

test("takes slices across each axis over all others", () => {
  const [outer, inner] = breakDown(Float32Array.of(1, -3, 2, 5, 7, 0), [2, 3], [null, "feature"]);
  expect(outer).toMatchObject({
    ...{ axis: 0, name: null, size: 2, step: 1 },
    mean: [0, 4],
    absMax: [3, 7],
  });
  expect(outer?.rms).toEqual([Math.sqrt(14 / 3), Math.sqrt(74 / 3)].map((it) => closeTo(it)));
  expect(inner).toMatchObject({ name: "feature", mean: [3, 2, 1], std: [2, 5, 1] });
});

const closeTo = (x: number): unknown => expect.closeTo(x, 12);

test("leaves out what is not finite, and says NaN where nothing is left", () => {
  const data = Float32Array.of(Number.NaN, 2, Number.POSITIVE_INFINITY, -4);
  const [rows, columns] = breakDown(data, [2, 2], []);
  expect(rows).toMatchObject({ mean: [2, -4], std: [0, 0], absMax: [2, 4] });
  expect(columns).toMatchObject({ mean: ["NaN", -1], rms: ["NaN", closeTo(Math.sqrt(10))] });
});

test("takes neighbours of a long axis together", () => {
  const [only] = breakDown(
    Float64Array.from({ length: 2050 }, (_, i) => i),
    [1, 2050],
    [],
  );
  expect(only).toMatchObject({ axis: 1, size: 2050, step: 3 });
  expect(only?.mean).toHaveLength(684);
  expect(only?.mean.slice(0, 2)).toEqual([1, 4]);
  expect(only?.mean.at(-1)).toBe(2049);
});

test("has nothing to say of numbers alone, and of nothing", () => {
  expect(breakDown(Float32Array.of(1), [], [])).toEqual([]);
  expect(breakDown(new Float32Array(0), [0, 3], [])).toEqual([]);
});
