import { expect, test } from "vitest";
import { displayWidth, pad, printable, truncate, wrap } from "./textWidth.ts";

test("wide characters take two columns, combining marks none", () => {
  expect(displayWidth("▁▂▃ ×12")).toBe(7);
  expect(displayWidth("層正規化")).toBe(8);
  expect(displayWidth("e\u0301")).toBe(1);
});

test("what is cut says so and keeps within its columns", () => {
  expect(truncate("residual", 8)).toBe("residual");
  expect(truncate("residual", 5)).toBe("resi…");
  expect(truncate("層正規化", 4)).toBe("層…");
});

test("pads to either side", () => {
  expect([pad("a", 3, "left"), pad("a", 3, "right"), pad("a", 4, "center")]).toEqual([
    "a  ",
    "  a",
    " a  ",
  ]);
});

test("control characters of a file cannot reach the terminal", () => {
  expect(printable("\tx = 1 \u001b[2J\r")).toBe("    x = 1 \ufffd[2J\ufffd");
});

test("breaks between words, and within a word that has no room", () => {
  expect(wrap("the CUDA provider is missing", 12)).toEqual(["the CUDA", "provider is", "missing"]);
  expect(wrap("libonnxruntime.so is", 8)).toEqual(["libonnxr", "untime.s", "o is"]);
  expect(wrap("short", 12)).toEqual(["short"]);
  expect(wrap("", 12)).toEqual([""]);
});
