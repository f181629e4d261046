/** docs/models.md: what the files of models/ say of themselves, and what was recorded of them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filePresets, modelFacts } from "../../src/present/modelFacts.ts";
import { pythonOutline, runnableClass } from "../../src/present/pythonOutline.ts";

export const path = "docs/models.md";

interface Model {
  readonly name: string;
  readonly source: string;
  readonly entry: string;
}

type Differences = Readonly<Record<"logits" | "loss" | "blocks" | "gradients", number>>;

interface Parity {
  readonly torch: string;
  readonly transformers: string;
  readonly largestDifferences: Readonly<Record<string, Differences>>;
}

/** null where the size of the input is the model's own. */
type Exported = Readonly<Record<"fixed" | "dynamic", number | null>>;

export function text(): string {
  const models = readdirSync("models")
    .filter((file) => file.endsWith(".py"))
    .sort()
    .map(modelOf);
  const described = models.filter(({ source }) => modelFacts(source).length > 0);
  return [
    "# Models",
    "",
    "<!-- Written by npm run gen from models/ and test/golden: do not edit. -->",
    "",
    "Plain PyTorch, one file each, that runs unchanged in PyTorch too. `normscope models` lists them,",
    "`normscope run models/gpt2.py --preset gpt2-medium` runs one at a published size, and",
    "`normscope models --count` counts the parameters of all, without memory for them. The constructor's",
    "own defaults are a tiny size (`--preset tiny`). Names of parameters are those of Hugging Face",
    "transformers' models.",
    "",
    "The architectures of Claude and Gemini are not public: no file here stands for them. Gemma is",
    "Gemini's open sibling.",
    "",
    "## Facts and sources",
    "",
    ...described.flatMap(factsOf),
    "## Placements of the normalisation",
    "",
    "`normscope compare models/placements.py --over placement` runs all of them on one block.",
    "",
    ...placements(),
    "",
    "## Parameters",
    "",
    "Counted by constructing the model without memory; equal in PyTorch and, where there is one, in the",
    "other implementation.",
    "",
    "| File | Preset | Parameters |",
    "| --- | --- | ---: |",
    ...described.flatMap(countsOf),
    "",
    ...parityOf(models),
    "",
  ].join("\n");
}

function modelOf(file: string): Model {
  const source = readFileSync(join("models", file), "utf8");
  const entry = runnableClass(pythonOutline(source))?.name ?? "";
  return { name: file.replace(/\.py$/, ""), source, entry };
}

function factsOf({ name, source, entry }: Model): string[] {
  return [
    `### [${entry}](../models/${name}.py)`,
    "",
    pythonOutline(source).summary,
    "",
    "| | | source |",
    "| --- | --- | --- |",
    ...modelFacts(source).map(({ name: what, fact, source: where }) =>
      row([what, fact, where === "" ? "–" : where]),
    ),
    "",
  ];
}

/** Each value of `placement`, with the first sentence and the papers of its class. */
function placements(): string[] {
  const source = readFileSync("models/placements.py", "utf8");
  const classes = new Map(pythonOutline(source).classes.map((it) => [it.name, it]));
  const blocks = /^BLOCKS = \{([\s\S]*?)^\}/m.exec(source)?.[1] ?? "";
  const lines = source.split("\n");
  const rows = [...blocks.matchAll(/"(\w+)": (\w+),/g)].map(([, value = "", name = ""]) => {
    // DyT is a norm that stands where Pre-LN's do.
    const own = classes.get(value === "dyt" ? "DyT" : name);
    const body = lines.slice((own?.line ?? 1) - 1, own?.endLine).join("\n");
    const papers = body.match(/https:\/\/[^\s,]+/g) ?? [];
    return row([`\`${value}\``, own?.summary ?? "", papers.join(" ")]);
  });
  return ["| placement | | paper |", "| --- | --- | --- |", ...rows];
}

function countsOf({ name, source }: Model): string[] {
  const counts = readJson<Readonly<Record<string, number>>>("modelCounts.json");
  return filePresets(source).map((preset) => {
    const count = counts[`${name} ${preset.name}`];
    return row([name, preset.name, count?.toLocaleString("en-US") ?? "–"]);
  });
}

function parityOf(models: readonly Model[]): string[] {
  const { torch, transformers, largestDifferences } = readJson<Parity>("modelParity.json");
  const exports = readJson<Readonly<Record<string, Exported>>>("modelExports.json");
  const rows = models.flatMap(({ name }) => {
    const found = largestDifferences[name];
    if (found === undefined) return [];
    const { fixed = null, dynamic = null } = exports[name] ?? {};
    const { logits, loss, blocks, gradients } = found;
    return row([name, ...[logits, loss, blocks, gradients, fixed, dynamic].map(shown)]);
  });
  return [
    "## Against the reference implementations",
    "",
    "The same random checkpoint, as a safetensors file, in the file of models/ and in Hugging Face",
    `transformers ${transformers} (PyTorch's own layers for the original Transformer; GPT-2 with banded`,
    `masks for GPT-3), both in PyTorch ${torch} with float32 on the CPU: the largest difference, relative`,
    "to the largest number of its tensor. Recorded by `scripts/record-models.py`, which fails above 1e-4;",
    "`npm test` compares Normscope with what PyTorch gives for the same files.",
    "",
    "`scripts/check-checkpoints.py` loads the same checkpoints with `normscope run --weights` and compares",
    "the loss with that of transformers.",
    "",
    "*Exported* and *with free axes* (`--dynamic`): the outputs of the ONNX file in Python's onnxruntime",
    "against PyTorch's, with `onnx.checker` passed; recorded by `scripts/check-export.py`.",
    "",
    "| File | logits | loss | block outputs | gradients | exported | with free axes |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ];
}

function shown(difference: number | null): string {
  if (difference === null) return "–";
  return difference === 0 ? "0" : difference.toExponential(1);
}

const readJson = <T>(file: string): T =>
  JSON.parse(readFileSync(join("test/golden", file), "utf8"));

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
