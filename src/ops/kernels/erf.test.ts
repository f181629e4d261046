import { expect, test } from "vitest";
import { erf } from "./erf.ts";

test("is right to two units in the last place on both sides of the change of series", () => {
  // Python's math.erf
  const known = [
    [1e-10, 1.1283791670955126e-10],
    [0.3, 0.3286267594591274],
    [-1, -0.8427007929497149],
    [2.49, 0.9995707121322661],
    [2.51, 0.9996142945182758],
    [5.5, 0.9999999999999927],
  ] as const;
  for (const [x, y] of known) expect(Math.abs(erf(x) / y - 1)).toBeLessThan(5e-16);
});

test("ends at 1 and passes NaN", () => {
  expect([erf(0), erf(40), erf(Number.NEGATIVE_INFINITY), erf(Number.NaN)]).toEqual([
    0,
    1,
    -1,
    Number.NaN,
  ]);
});
