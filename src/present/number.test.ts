import { expect, test } from "vitest";
import {
  formatBytes,
  formatCount,
  formatMs,
  formatNonFinite,
  formatNumber,
  formatShape,
} from "./number.ts";

test.each([
  [0, "0"],
  [1, "1.00"],
  [-1.016, "-1.02"],
  [0.0312, "0.0312"],
  [0.01, "0.0100"],
  [0.00999, "9.99e-3"],
  [0.009999, "0.0100"],
  [314.4, "314"],
  [999.4, "999"],
  [999.6, "1.00e3"],
  [4_999_999, "5.00e6"],
  [3.1e-38, "3.10e-38"],
  ["NaN", "NaN"],
  ["Infinity", "inf"],
  ["-Infinity", "-inf"],
] as const)("writes %s as %s", (num, text) => {
  expect(formatNumber(num)).toBe(text);
});

test("digits and width are the caller's", () => {
  expect(formatNumber(0.000314, { digits: 2 })).toBe("3.1e-4");
  expect(formatNumber(3.44, { digits: 2, width: 8 })).toBe("     3.4");
});

test("counts have at most three digits and a unit", () => {
  expect([0, 9999, 10_000, 232_704, 999_600, 124_439_808].map(formatCount)).toEqual([
    "0",
    "9999",
    "10 k",
    "233 k",
    "1 M",
    "124 M",
  ]);
});

test("times and sizes", () => {
  expect([0.42, 9.72, 212.4, 999.7, 1240, 125_000].map(formatMs)).toEqual([
    "0.4 ms",
    "9.7 ms",
    "212 ms",
    "1.00 s",
    "1.24 s",
    "125 s",
  ]);
  expect([812, 31_457_280, 2.1e9].map(formatBytes)).toEqual(["812 B", "31.5 MB", "2.1 GB"]);
  expect(formatShape([4, 32])).toBe("[4, 32]");
});

test("entries that are not finite are counted by kind", () => {
  expect(formatNonFinite({ nan: 3, posInf: 0, negInf: 12_000 })).toBe("3 NaN, 12 k -inf");
  expect(formatNonFinite({ nan: 0, posInf: 0, negInf: 0 })).toBe("");
});
