import { expect, test } from "vitest";
import type { ClaimNumber } from "../../protocol/claimsPage.ts";
import { claimTable, verdict } from "./claim.ts";

const number = (measured: number, range: ClaimNumber["range"]): ClaimNumber => ({
  name: "slope",
  expected: "0.5 ± 0.1",
  range,
  measured,
});

test("a claim is shown where all its numbers lie in their ranges", () => {
  expect(verdict({ numbers: [number(0.5, [0, 1]), number(7, null)] })).toBe("shown");
  expect(verdict({ numbers: [number(0.5, [0, 1]), number(2, [0, 1])] })).toBe("partly: 1 of 2");
  expect(verdict({ numbers: [number(2, [0, 1])] })).toBe("not shown here");
  expect(verdict({ numbers: [number(Number.NaN, [0, 1])] })).toBe("not shown here");
  expect(verdict({ numbers: [number(2, null)] })).toBe("measured");
});

test("a number that is not as expected stands out", () => {
  const plots = { plots: [], text: "", setting: "", source: "", seconds: 0 };
  const { rows } = claimTable({ id: "a", title: "A", numbers: [number(2, [0, 1])], ...plots });
  expect(rows[0]?.at(-1)).toEqual({ text: "not as expected", tone: "warning" });
});
