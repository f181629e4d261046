import { expect, test } from "vitest";
import { defaultTraining } from "../../src/protocol/trainingPage.ts";
import type { ModelForm } from "../../src/protocol/webview.ts";
import { configurationOf, contentOf, mistakesOf } from "./configuration.ts";

const form: ModelForm = {
  title: "Net",
  summary: "",
  fields: [
    { name: "d_model", annotation: "int", default: null, choices: [] },
    { name: "bias", annotation: "bool", default: "True", choices: [] },
  ],
  presets: [],
  facts: [],
  configuration: {
    uri: "file:///net.py",
    entry: "Net",
    set: { extra: "1" },
    inputs: [{ name: "idx", dtype: "int64", shape: [2, 64], below: 256 }],
    loss: null,
    seed: 0,
    mode: null,
    device: "auto",
    weights: null,
    strict: true,
    tokens: null,
    tokenizer: null,
  },
  training: defaultTraining,
  hasCounterpart: false,
};

test("a form that was not touched runs with what it started from", () => {
  const content = contentOf(form);
  expect(configurationOf(form, content)).toEqual(form.configuration);
  expect(mistakesOf(form, content)).toEqual([{ kind: "missing", name: "d_model" }]);
});

test("what is typed is read without the space around it", () => {
  const content = {
    ...contentOf(form),
    set: { d_model: " 64 ", bias: "" },
    inputs: [{ name: "idx ", dtype: "int64", shape: "[4, 32]", below: "" }],
    loss: " output.mean() ",
    seed: "7",
    mode: "train",
    device: "cpu",
    weights: " tiny.safetensors",
    isLoose: true,
    tokens: "words.txt",
    tokenizer: " tokenizer.json",
  };
  expect(mistakesOf(form, content)).toEqual([]);
  expect(configurationOf(form, content)).toMatchObject({
    set: { d_model: "64" },
    inputs: [{ name: "idx", dtype: "int64", shape: [4, 32], below: null }],
    loss: "output.mean()",
    seed: 7,
    mode: "train",
    device: "cpu",
    weights: "tiny.safetensors",
    strict: false,
    tokens: "words.txt",
    tokenizer: "tokenizer.json",
  });
});

test("shapes and seeds that cannot be read are said", () => {
  const inputs = [{ name: "x", dtype: "float32", shape: "4 by 4", below: "" }];
  const content = { ...contentOf(form), set: { d_model: "64" }, inputs, seed: "none" };
  expect(mistakesOf(form, content)).toEqual([
    { kind: "shape", name: "x" },
    { kind: "seed", name: "seed" },
  ]);
});
