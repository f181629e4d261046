import { expect, test } from "vitest";
import { sparkline } from "./sparkline.ts";

test("heights are linear where numbers are close, logarithmic where they are not", () => {
  expect(sparkline([1, 2, 3, 4, 5, 6, 7])).toBe("▁▂▃▄▅▆▇");
  expect(sparkline([1, 0.1, 0.01, 0.001])).toBe("▇▅▃▁");
});

test("noise is no trend", () => {
  expect(sparkline([1, 1.001, 0.999])).toBe("▄▄▄");
  expect(sparkline([0, 0])).toBe("▄▄");
});

test("gaps and numbers that are not finite are marked", () => {
  expect(sparkline([1, null, "NaN", 3, "Infinity"])).toBe("▁·!▇!");
  expect(sparkline([null, "NaN"])).toBe("·!");
});

test("more numbers than characters are averaged", () => {
  expect(sparkline([1, 1, 2, 2, 3, 3, 4, 4], 4)).toBe("▁▃▅▇");
  expect(sparkline([])).toBe("");
});
