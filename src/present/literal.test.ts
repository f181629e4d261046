import { expect, test } from "vitest";
import { pythonLiteral } from "./literal.ts";

test.each([
  ["24", "24"],
  ["-0.5", "-0.5"],
  ["1e-5", "1e-5"],
  ["10000.0", "10000.0"],
  ["1_000", "1_000"],
  ["true", "True"],
  ["None", "None"],
  ["null", "None"],
  ["RMSNorm", "'RMSNorm'"],
  ["nn.GELU", "'nn.GELU'"],
  ["'a b'", "'a b'"],
  ['"it\'s"', '"it\'s"'],
  ["it's", null],
  ["two words", "'two words'"],
  ["a/b-c", "'a/b-c'"],
  ["1.2.3", "'1.2.3'"],
  ["2x", "'2x'"],
  ["", "''"],
  ["[1, 2]", "[1, 2]"],
  ["(1,2)", "(1, 2)"],
  ['{"a": [true, null]}', '{"a": [True, None]}'],
  ["[1, 2", null],
  ["[1, 2)", null],
  ["[1 2]", null],
  ["__import__('os')", null],
  ["f(1)", null],
])("%s is %s", (text, literal) => {
  if (literal === null) expect(() => pythonLiteral(text)).toThrow("is no Python literal");
  else expect(pythonLiteral(text)).toBe(literal);
});
