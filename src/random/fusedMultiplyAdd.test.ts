import { expect, test } from "vitest";
import { createGenerator } from "./engine.ts";
import { exactFused } from "./exact.ts";
import { fusedMultiplyAdd } from "./fusedMultiplyAdd.ts";
import { uniform } from "./uniform.ts";

test("rounds a·b + c once", () => {
  const gen = createGenerator(0);
  const numbers = new Float64Array(6000);
  uniform(gen, numbers, -1, 1, "float64");
  for (let i = 0; i < numbers.length; i += 3) {
    const [a = 0, b = 0, c = 0] = numbers.subarray(i, i + 3);
    for (const addend of [c, -a * b, c * 2 ** 40, c * 2 ** -40])
      expect(fusedMultiplyAdd(a, b, addend)).toBe(exactFused(a, b, addend, 53));
  }
});

test("is not misled by sums that look like ties", () => {
  const tiny = 2 ** -52;
  for (const c of [2 ** 53, 2 ** 53 + 2, -(2 ** 53), -(2 ** 53) - 2]) {
    for (const [a, b] of [
      [1 + tiny, 1 - tiny],
      [1 + tiny, 1 + tiny],
      [-1 - tiny, 1 - tiny],
    ] as const)
      expect(fusedMultiplyAdd(a, b, c)).toBe(exactFused(a, b, c, 53));
  }
});
