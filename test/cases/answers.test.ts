/** What a person should be told of each case: by a finding, or by a number. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";
import type { Finding, RunReport } from "../../src/protocol/report.ts";

const folder = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");
const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
let engine: Engine | null = null;

afterAll(() => engine?.dispose());

function run(
  file: string,
  entry: string | null = null,
  set: Record<string, string> = {},
): Promise<RunReport> {
  engine ??= startEngine({ enginePath });
  return engine.run({
    ...{ root: folder, file, entry, set, inputs: [], loss: null },
    ...{ seed: 0, mode: null, packages: null, device: "cpu" },
  });
}

const brief = ({ code, line }: Finding): string => `${code} ${line}`;

/** The case, and all that is found in it, the gravest first. */
const answers: Readonly<Record<string, readonly string[]>> = {
  n01_postln_depth: [],
  n02_preln_depth: [],
  n03_skip_through_norm: ["norm/skip-path 18"],
  n04_no_final_norm: ["norm/no-final 26", "init/loss 26"],
  n06_cloned_layers: ["init/identical-layers 19", "norm/no-final 33"],
  n07_masked_row_grad: ["numbers/nan 27", "numbers/gradient 28", "attention/masked-rows 27"],
  n09_half_logits: ["numbers/nan 23", "numbers/infinity 21", "numbers/gradient 24"],
  n09_scaled_first: [],
  n11_eps_outside_sqrt: ["numbers/gradient 12", "norm/eps-outside 13"],
  n13_init_name_miss: ["init/missed 27"],
  n15_block_reused: ["init/loss 37"],
  n16_inplace_relu_stats: ["norm/no-final 32"],
  n18_softmax_over_queries: ["attention/softmax-axis 19"],
  n20_sdpa_mask_flipped: ["attention/mask-flipped 22", "attention/masked-rows 22"],
  n24_data_dependent_branch: [],
};

test.each(Object.entries(answers))("%s", async (name, expected) => {
  const { findings } = await run(`${name}.py`);
  expect(findings.map(brief)).toEqual(expected);
});

test.each([
  ["n02_preln_depth", {}],
  ["n04_no_final_norm", { close: "True" }],
  ["n13_init_name_miss", { fixed: "True" }],
  ["n18_softmax_over_queries", { axis: "-1" }],
  ["n20_sdpa_mask_flipped", { flip: "True" }],
] as const)("nothing is found in %s as it should be", async (name, set) => {
  const { findings } = await run(join("models", `${name}.py`), "Model", set);
  expect(findings.map(brief)).toEqual([]);
});

const evidenceOf = async (name: string, code: string) => {
  const { findings } = await run(`${name}.py`);
  return findings.find((finding) => finding.code === code)?.evidence ?? {};
};

test("the numbers of the answers stand in the findings", async () => {
  const stream = await evidenceOf("n04_no_final_norm", "norm/no-final");
  expect(Number(stream["last RMS"])).toBeGreaterThan(2.9);
  expect((await evidenceOf("n06_cloned_layers", "init/identical-layers"))["layers"]).toBe(6);
  const gradient = await evidenceOf("n07_masked_row_grad", "numbers/gradient");
  expect(gradient["parameters"]).toBe("emb.weight, v.weight, v.bias, head.weight");
  expect((await evidenceOf("n07_masked_row_grad", "numbers/nan"))["nan"]).toBe(288);
  const root = await evidenceOf("n11_eps_outside_sqrt", "numbers/gradient");
  expect(root).toMatchObject({ "made by": "sqrt, line 12", parameters: "emb.weight" });
  const missed = await evidenceOf("n13_init_name_miss", "init/missed");
  expect(missed["parameters"]).toBe(12);
  expect(Number(missed["std"])).toBeCloseTo(0.02, 3);
  expect(Number(missed["meant std"])).toBeCloseTo(0.004082, 6);
  const axis = await evidenceOf("n18_softmax_over_queries", "attention/softmax-axis");
  expect(Number(axis["least sum"])).toBeCloseTo(0.751912, 4);
  expect(Number(axis["largest sum"])).toBeCloseTo(1.24647, 4);
});

test("a block that runs four times has four numbers; a branch on data says how it went", async () => {
  const { blocks } = await run("n15_block_reused.py");
  expect(blocks.map(({ streamRms }) => Number(streamRms).toFixed(3))).toEqual([
    ...["1.099", "1.345", "1.780", "2.495"],
  ]);
  const { branches } = await run("n24_data_dependent_branch.py");
  expect(branches).toMatchObject([{ line: 20, value: "False" }]);
});

test("placements are told whatever the classes are called", async () => {
  const placements = async (name: string) => {
    const { blocks } = await run(`${name}.py`);
    return [...new Set(blocks.map(({ placement }) => placement))];
  };
  expect(await placements("n01_postln_depth")).toEqual(["Post-LN"]);
  expect(await placements("n02_preln_depth")).toEqual(["Pre-LN"]);
  expect(await placements("n03_skip_through_norm")).toEqual(["norm on the skip path"]);
  expect(await placements("n18_softmax_over_queries")).toEqual([]);
});
