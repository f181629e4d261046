import { expect, test } from "vitest";
import { presetsFor, presetsOf } from "./presets.ts";

const fields = (...names: string[]) =>
  names.map((name) => ({ name, annotation: "int", default: "1", choices: [] }));

test("sizes go to the arguments that a model has, whatever it calls them", () => {
  const presets = presetsFor(fields("n_layer", "n_embd", "n_head", "block_size", "dropout"));
  expect(presets.find(({ label }) => label === "GPT-2 XL")?.set).toEqual({
    n_layer: "48",
    n_embd: "1600",
    n_head: "25",
    block_size: "1024",
  });
});

test("key and value heads are as many as heads where nothing else was published", () => {
  const presets = presetsFor(fields("n_layers", "dim", "n_heads", "n_kv_heads"));
  const kvHeads = Object.fromEntries(presets.map(({ label, set }) => [label, set["n_kv_heads"]]));
  expect(kvHeads).toMatchObject({ "LLaMA 7B": "32", "Llama 3 8B": "8" });
});

test("a part of a model has no published size", () => {
  expect(presetsFor(fields("d_model", "n_heads"))).toEqual([]);
});

test("a file's own presets come in place of the published sizes", () => {
  const source = 'PRESETS = {"tiny": dict(), "base": dict(n_layers=12)}';
  expect(presetsOf(source, fields("n_layers", "d_model"))).toEqual([
    { label: "tiny", set: { n_layers: "", d_model: "" } },
    { label: "base", set: { n_layers: "12", d_model: "" } },
  ]);
  expect(presetsOf("", fields("d_model"))).toEqual([]);
});
