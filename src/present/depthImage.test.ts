import { expect, test } from "vitest";
import { depthImage, imageColours } from "./depthImage.ts";

const { dark } = imageColours;

test("draws both curves, each with its smallest and largest number", () => {
  const image = depthImage([1, 2, 4], [1e-3, 5e-4, null], dark) ?? "";
  expect(image.match(/<path d="M[^"]*L/g)).toHaveLength(2);
  for (const text of [">4.0<", ">1.0<", ">1.0e-3<", ">5.0e-4<", ">2<"]) {
    expect(image).toContain(text);
  }
  expect(image).toContain('stroke-dasharray="5 3"');
});

test("numbers that no axis has are left out of the curve", () => {
  const image = depthImage([1, "NaN", 2, 3], [0, 0, 0, 0], dark) ?? "";
  expect(image.match(/<path d="M[\d. ]+M[\d. ]+L[\d. ]+"/)).not.toBeNull();
  expect(image).not.toContain(dark.gradient);
  expect(image).not.toContain("NaN");
});

test("a single pass has no curve", () => {
  expect(depthImage([1], [], dark)).toBeNull();
  expect(depthImage([0, 0], [], dark)).toBeNull();
});

test("a picture stays far below what editors allow", () => {
  const many = Array.from({ length: 200 }, (_, i) => i + 1);
  expect(depthImage(many, many, dark)?.length).toBeLessThan(10_000);
});
