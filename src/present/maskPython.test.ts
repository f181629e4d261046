import { expect, test } from "vitest";
import { maskPython } from "./maskPython.ts";

const shown = (source: string) => {
  const masked = maskPython(source);
  expect(masked).toHaveLength(source.length);
  return masked.replaceAll(/ +/g, " ");
};

test("hides strings and comments, and keeps every place", () => {
  expect(shown(`a = "x: # y"  # b "\nc`)).toBe('a = " " \nc');
  expect(shown(`"""class A:\n  # no\n"""\nb`)).toBe('""" \n \n"""\nb');
  expect(shown(`f("it\\"s", r"\\d") + g`)).toBe('f(" " ", r" ") + g');
});

test("a string that is still being typed hides no other line", () => {
  expect(shown(`a = "open\nclass B:\n`)).toBe('a = " \nclass B:\n');
  expect(shown(`"""open\nclass B:`)).toBe('""" \n ');
});
