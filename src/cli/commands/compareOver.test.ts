import { expect, test } from "vitest";
import { overValues } from "./compareOver.ts";

const fields = [
  { name: "norm", choices: ['"a"', '"b"'] },
  { name: "n_layers", choices: [] },
];
const valuesOf = (over: string) => overValues(over, fields).values;

test("the choices are those of the annotation", () => {
  expect(overValues("norm", fields)).toEqual({ argument: "norm", values: ['"a"', '"b"'] });
});

test("values can be given", () => {
  expect(overValues("n_layers=6,12", fields)).toEqual({
    argument: "n_layers",
    values: ["6", "12"],
  });
  expect(overValues("norm=RMSNorm,b", fields)).toEqual({
    argument: "norm",
    values: ["'RMSNorm'", "'b'"],
  });
});

test("a value may have commas of its own", () => {
  expect(valuesOf("sizes=(1, 2),(3,4)")).toEqual(["(1, 2)", "(3, 4)"]);
  expect(valuesOf("sizes=[1],[2, 3]")).toEqual(["[1]", "[2, 3]"]);
  expect(valuesOf("text='a,b',c")).toEqual(["'a,b'", "'c'"]);
  expect(valuesOf("bias=true,False,None")).toEqual(["True", "False", "None"]);
});

test("one value is none to compare", () => {
  expect(() => valuesOf("n_layers=4")).toThrow("needs two values or more; got '4'");
  expect(() => valuesOf("n_layers=4,4")).toThrow("needs two values or more");
});

test("an argument without choices is refused", () => {
  const refused = (over: string) => {
    try {
      overValues(over, fields);
    } catch (error) {
      return error;
    }
    return null;
  };
  expect(refused("n_layers")).toMatchObject({
    message: "Nothing names the choices of 'n_layers'",
    hint: "Write --over n_layers=VALUE,VALUE, or --over norm",
  });
  expect(refused("layers")).toMatchObject({ hint: "It has norm, n_layers" });
});
