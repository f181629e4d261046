import { expect, test } from "vitest";
import { axisNames, sweepChoiceOf, sweepContent, sweepMistakes, usualValues } from "./sweepForm.ts";

const field = (name: string, preset: string, choices: readonly string[] = []) => ({
  ...{ name, annotation: null, default: preset, choices },
});
const fields = [
  field("d_model", "64"),
  field("n_layers", "8"),
  field("norm", "'layer'", ["'layer'", "'rms'"]),
  field("tied", "False"),
];

test("a form begins with the depth, and values that an exponent can be read from", () => {
  const content = sweepContent({ fields });
  expect(sweepMistakes(content)).toEqual([]);
  expect(sweepChoiceOf(content)).toEqual({
    axes: [{ name: "n_layers", values: ["4", "8", "16"] }],
    seeds: 3,
    measure: "init",
  });
  expect(usualValues({ fields }, "norm")).toBe("'layer', 'rms'");
  expect(usualValues({ fields }, "tied")).toBe("False, True");
  expect(axisNames({ fields })).toEqual(expect.arrayContaining(["d_model", "lr", "warmup"]));
});

test("settings of training are swept after training alone, and nothing twice", () => {
  const lr = { name: "lr", values: "1e-3, 1e-2" };
  const depth = { name: "n_layers", values: "(2, 4), 8" };
  const content = { axes: [depth, lr], seeds: "2", measure: "init" };
  expect(sweepMistakes(content)).toEqual([{ kind: "untrained", name: "lr" }]);
  const trained = { ...content, measure: "train" };
  expect(sweepChoiceOf(trained)?.axes[0]?.values).toEqual(["(2, 4)", "8"]);
  expect(sweepMistakes({ ...trained, axes: [lr, lr] })).toEqual([{ kind: "twice", name: "lr" }]);
});

test("an axis needs values, seeds are few, and so are runs", () => {
  const axes = [{ name: "n_layers", values: " , " }];
  expect(sweepMistakes({ axes, seeds: "0", measure: "init" })).toEqual([
    { kind: "values", name: "n_layers" },
    { kind: "seeds", name: "seeds" },
  ]);
  const many = Array.from({ length: 101 }, (_, at) => String(at)).join(",");
  const two = ["a", "b"].map((name) => ({ name, values: many }));
  expect(sweepMistakes({ axes: two, seeds: "1", measure: "init" })).toEqual([
    { kind: "many", name: "10201" },
  ]);
});
