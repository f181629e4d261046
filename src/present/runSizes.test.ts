import { expect, test } from "vitest";
import { pythonOutline } from "./pythonOutline.ts";
import { runSizes } from "./runSizes.ts";

const sizes = (source: string, set: Readonly<Record<string, string>> = {}) =>
  runSizes(pythonOutline(source), "Model", set);
const modelOf = (parameters: string) =>
  `class Model(nn.Module):\n    def __init__(self, ${parameters}): ...\n`;

test("tells whole numbers, and what was set in place of a default", () => {
  const source = modelOf("n_layers: int = 12, d_model=128, act='gelu', eps=1e-5, causal=True");
  expect(sizes(source)).toBe("n_layers=12, d_model=128");
  expect(sizes(source, { d_model: "64", act: "'relu'" })).toBe("n_layers=12, d_model=64");
});

test("tells the fields of a config class", () => {
  const config = "@dataclass\nclass Config:\n    n_layer: int = 2\n    name: str = 'a'\n\n\n";
  expect(sizes(`${config}${modelOf("config: Config")}`)).toBe("n_layer=2");
});

test("ends where the lens does", () => {
  const many = Array.from({ length: 9 }, (_, at) => `number_${at}=${at}`).join(", ");
  expect(sizes(modelOf(many))).toBe("number_0=0, number_1=1, number_2=2, …");
  expect(sizes(modelOf(many))?.length).toBeLessThanOrEqual(48);
});

test("says nothing where the file does not tell", () => {
  expect(sizes(modelOf("width, act='gelu'"))).toBeNull();
  expect(sizes("x = 1\n")).toBeNull();
});
