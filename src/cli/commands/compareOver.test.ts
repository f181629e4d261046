import { expect, test } from "vitest";
import { overValues } from "./compareOver.ts";

const fields = [
  { name: "norm", annotation: 'Literal["a", "b"]', default: '"a"', choices: ['"a"', '"b"'] },
  { name: "n_layers", annotation: "int", default: "4", choices: [] },
];

test("the choices are those of the annotation", () => {
  expect(overValues("norm", fields)).toEqual({ argument: "norm", values: ['"a"', '"b"'] });
});

test("values can be given", () => {
  expect(overValues("n_layers=6,12", fields)).toEqual({
    argument: "n_layers",
    values: ["6", "12"],
  });
  expect(overValues("norm=RMSNorm", fields)).toEqual({ argument: "norm", values: ["'RMSNorm'"] });
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
});
