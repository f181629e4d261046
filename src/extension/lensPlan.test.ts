import { expect, test } from "vitest";
import { pythonOutline } from "../present/pythonOutline.ts";
import { lensPlan } from "./lensPlan.ts";

const all = { run: true, script: true, compare: true, export: true, numbers: true };
const plan = (source: string, shown = all, pairs: readonly string[] = []) =>
  lensPlan(pythonOutline(source), {
    shown,
    counterpartOf: (entry) =>
      pairs.includes(entry)
        ? { kind: "argument", name: "pre_norm", pre: "True", post: "False" }
        : null,
  }).map(({ line, kind, over, entry }) => `${line} ${over}: ${kind} ${entry}`);

const source = `import torch

class Attention(nn.Module):
    def __init__(self, d): ...

class Block(nn.Module):
    def __init__(self, d, attn: nn.Module): ...

class Net(nn.Module):
    def __init__(self, d=1): ...

class Config:
    pass
`;

test("a model can be run, compared and exported; its parts can be run", () => {
  expect(plan(source, all, ["Net"])).toEqual([
    "3 Attention: run Attention",
    "3 Attention: numbers Attention",
    "6 Block: run Net",
    "6 Block: numbers Block",
    "9 Net: run Net",
    "9 Net: compare Net",
    "9 Net: export Net",
    "9 Net: numbers Net",
  ]);
});

test("each kind can be left out", () => {
  expect(plan(source, { ...all, export: false, numbers: false })).toEqual([
    "3 Attention: run Attention",
    "6 Block: run Net",
    "9 Net: run Net",
  ]);
});

test("a model that takes a config is a model", () => {
  const text =
    "class C:\n    n: int = 1\n\nclass Net(nn.Module):\n    def __init__(self, c: C): ...\n";
  expect(plan(text)).toEqual(["4 Net: run Net", "4 Net: export Net", "4 Net: numbers Net"]);
});

test("a script is run from its build", () => {
  expect(plan("def build():\n    pass\ndef step(model):\n    pass\n")).toEqual([
    "1 null: run null",
    "1 null: export null",
  ]);
});

test("a block without a model in its file offers a script", () => {
  expect(plan("class B(nn.Module):\n    def __init__(self, a: nn.Module): ...\n")).toEqual([
    "1 B: script B",
    "1 B: numbers B",
  ]);
});
