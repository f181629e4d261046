import fc from "fast-check";
import { expect, test } from "vitest";
import { logScale } from "./logScale.ts";

test.each([
  [1.2, 3.9, "1 2 5"],
  [4.1e-4, 2.1e-3, "0.0002 0.0005 0.001 0.002 0.005"],
  [1e-9, 1, "1e-9 1e-7 0.00001 0.001 0.1 10"],
  [0.3, 2000, "0.1 1 10 100 1000 10000"],
  [1, 1, "1 2"],
])("from %d to %d the ticks are %s", (min, max, ticks) => {
  expect(logScale([max, min])?.ticks.join(" ")).toBe(ticks);
});

test("every number lies between the first tick and the last", () => {
  const positive = fc.double({ min: 1e-30, max: 1e30, noNaN: true });
  fc.assert(
    fc.property(fc.array(positive, { minLength: 1, maxLength: 9 }), (values) => {
      const scale = logScale(values);
      expect(scale?.ticks.length).toBeGreaterThanOrEqual(2);
      expect(scale?.ticks.length).toBeLessThanOrEqual(7);
      for (const value of values) {
        const position = scale?.position(value);
        expect(position).toBeGreaterThanOrEqual(-1e-6);
        expect(position).toBeLessThanOrEqual(1 + 1e-6);
      }
    }),
  );
});

test("nothing positive, no axis", () => {
  expect(logScale([0, -1, Number.NaN, Number.POSITIVE_INFINITY])).toBeNull();
});
