/** Parameters of the presets of models/, counted without memory for them, are the published ones. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import { type FilePreset, filePresets } from "../../src/present/modelFacts.ts";
import { pythonOutline, runnableClass } from "../../src/present/pythonOutline.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const root = join(repository, "models");
const engine = startEngine({ enginePath: join(repository, "dist/engine.mjs") });
afterAll(() => engine.dispose());

/** "gpt2 gpt2-xl" to what real PyTorch counted, equal to transformers' own model (see the script). */
const counted: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(repository, "test/golden/modelCounts.json"), "utf8"),
);

/** In millions, as the papers and model cards print them. */
const published: Readonly<Record<string, number>> = {
  base: 65,
  big: 213,
  "bert-base": 110,
  "bert-large": 340,
  gpt2: 124,
  "gpt2-medium": 355,
  "gpt2-large": 774,
  "gpt2-xl": 1558,
  "gpt3-small": 125,
  "gpt3-medium": 350,
  "gpt3-large": 760,
  "gpt3-xl": 1300,
  "gpt3-2.7b": 2700,
  "gpt3-6.7b": 6700,
  "gpt3-13b": 13000,
  "gpt3-175b": 175000,
  "llama-7b": 6700,
  "llama-13b": 13000,
  "llama-33b": 32500,
  "llama-65b": 65200,
  "llama-2-7b": 6700,
  "llama-2-13b": 13000,
  "llama-2-70b": 69000,
  "llama-3-8b": 8000,
  "llama-3-70b": 70600,
  "llama-3.1-405b": 405000,
  "mistral-7b-v0.1": 7240,
  "mixtral-8x7b": 46700,
  "mixtral-8x22b": 141000,
  "deepseek-v2": 236000,
  "deepseek-v2-lite": 15700,
  "deepseek-v3": 671000,
  "gemma-2b": 2506,
  "gemma-7b": 8538,
  "gemma-2-2b": 2614,
  "gemma-2-9b": 9242,
  "gemma-2-27b": 27227,
  "gemma-3-1b": 1000,
  "gemma-3-4b": 3884,
  "gemma-3-12b": 11771,
  "gemma-3-27b": 27016,
  "qwen3-0.6b": 600,
  "qwen3-1.7b": 1700,
  "qwen3-4b": 4000,
  "qwen3-8b": 8200,
  "qwen3-14b": 14800,
  "qwen3-32b": 32800,
  "olmo-2-1b": 1480,
  "olmo-2-7b": 7300,
  "olmo-2-13b": 13700,
  "olmo-2-32b": 32200,
  "gpt-oss-20b": 20910,
  "gpt-oss-120b": 116830,
  "t5-small": 60,
  "t5-base": 220,
  "t5-large": 770,
  "t5-3b": 2800,
  "t5-11b": 11000,
  "vit-b16": 86,
  "vit-l16": 307,
  "vit-h14": 632,
  "whisper-tiny": 39,
  "whisper-base": 74,
  "whisper-small": 244,
  "whisper-medium": 769,
  "whisper-large-v2": 1550,
  "whisper-large-v3": 1550,
};

/** Of what is printed, with two digits at times. */
const rounding = 0.045;

test("every preset has the published number of parameters", () => {
  const wrong = Object.entries(counted).filter(([key, count]) => {
    const [, preset = ""] = key.split(" ");
    if (preset === "tiny") return false;
    const millions = published[preset];
    return millions === undefined || Math.abs(count / 1e6 / millions - 1) > rounding;
  });
  expect(wrong).toEqual([]);
});

test("counts the smallest and the largest preset of each file as PyTorch does", async () => {
  const files = [...new Set(Object.keys(counted).map((key) => key.split(" ")[0] ?? ""))];
  const models = files.map((name) => {
    const source = readFileSync(join(root, `${name}.py`), "utf8");
    const entry = runnableClass(pythonOutline(source))?.name ?? "";
    return { name, file: `${name}.py`, entry, presets: extremes(name, filePresets(source)) };
  });
  const counts = await engine.count({
    root,
    models: models.map(({ file, entry, presets }) => ({
      file,
      entry,
      sets: presets.map(({ set }) => set),
    })),
  });
  const found = models.flatMap(({ name, presets }, i) =>
    presets.map((preset, at) => [`${name} ${preset.name}`, counts[i]?.[at]] as const),
  );
  expect(found.length).toBe(2 * files.length);
  for (const [key, count] of found) expect([key, count]).toEqual([key, counted[key]]);
});

/** PyTorch counts 174 and, with n = 8, 458. */
const unusual = `import copy

import torch
from torch import nn


class Unusual(nn.Module):
    def __init__(self, n: int = 4):
        super().__init__()
        self.scaled = nn.Parameter(torch.randn(3, n) * 0.1)
        self.filled = nn.Parameter(torch.empty((2, n), dtype=torch.float64))
        self.filled.data.normal_(0, 0.02)
        self.fixed = nn.Parameter(torch.zeros(n), requires_grad=False)
        self.linear = nn.Linear(n, 5)
        self.copied = copy.deepcopy(self.linear)
        self.tied = nn.Linear(n, 5, bias=False)
        self.tied.weight = self.linear.weight
        self.narrow = nn.Linear(n, 1, bias=False)
        self.narrow.weight.data = torch.ones(1, n + 2)
        self.listed = nn.ParameterList([torch.ones(2), torch.ones(2, 2)])
        self.attention = nn.MultiheadAttention(n, 2)
        self.register_buffer("mask", torch.tril(torch.ones(n, n)))
        with torch.no_grad():
            self.linear.weight.mul_(0.5)
        self.twice = nn.ModuleList([self.linear, self.linear])
        self.cut = nn.Parameter(self.mask[:2].clone())
        assert self.linear.weight.shape == (5, n) and self.linear.weight.is_leaf
`;

test("counts what constructors do with their parameters as PyTorch does", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ns-count-"));
  try {
    writeFileSync(join(folder, "unusual.py"), unusual);
    const models = [{ file: "unusual.py", entry: "Unusual", sets: [{}, { n: "8" }] }];
    expect(await engine.count({ root: folder, models })).toEqual([[174, 458]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function extremes(name: string, presets: readonly FilePreset[]): readonly FilePreset[] {
  const size = (preset: FilePreset) => counted[`${name} ${preset.name}`] ?? 0;
  const sorted = presets.toSorted((a, b) => size(a) - size(b));
  return [...sorted.slice(0, 1), ...sorted.slice(-1)];
}
