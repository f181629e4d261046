import { expect, test } from "vitest";
import { chart } from "./chart.ts";

const drawn = (values: readonly (number | "NaN" | null)[]): string =>
  chart({
    id: "c",
    title: "stream",
    definition: "root mean square",
    labels: values.map((_, i) => String(i)),
    lines: [{ name: "Pre-LN", values }],
  });

const pathOf = (html: string): string | undefined =>
  /<svg viewBox="0 0 560[\s\S]*?<path class="line" d="([^"]*)"/.exec(html)?.[1];

test("a line rises with its numbers on a logarithmic axis", () => {
  expect(pathOf(drawn([1, 10, 100]))).toBe("M74 222L305 118L536 14");
});

test("a missing number, one that is not finite and zero leave gaps", () => {
  expect(
    pathOf(drawn([1, null, 10, "NaN", 0, 10]))
      ?.match(/[ML]/g)
      ?.join(""),
  ).toBe("MMM");
});

test("every point says its number, and the drawing is described in words", () => {
  const html = drawn([1, 100]);
  expect(html).toContain("<title>Pre-LN, block 1: 100</title>");
  expect(html).toContain("root mean square. Pre-LN: from 1.00 to 100");
  expect(html).toContain('role="img" aria-labelledby="c-title c-text"');
});

test("one block is one mark; no positive number is no axis", () => {
  expect(pathOf(drawn([1]))).toMatch(/^M305 [\d.]+$/);
  expect(drawn([0, "NaN"])).toContain("No positive number to draw");
});
