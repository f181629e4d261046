/** Cases whose finding an edit mends: the fix is made in a copy, and the case is told nothing any more. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";
import { findingFix, fixed } from "../../src/present/fixes/findingFixes.ts";
import type { Finding } from "../../src/protocol/report.ts";

const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "normscope-cases-"));
cpSync(fileURLToPath(new URL(".", import.meta.url)), root, { recursive: true });
let engine: Engine | null = null;
afterAll(async () => {
  await engine?.dispose();
  rmSync(root, { recursive: true });
});

/** `entry`: of the model alone, without the case's own weights. */
async function findingsOf(name: string, entry = ""): Promise<readonly Finding[]> {
  engine ??= startEngine({ enginePath });
  const report = await engine.run({
    ...{
      root,
      file: entry === "" ? `${name}.py` : `models/${name}.py`,
      entry: entry || null,
    },
    ...{ set: {}, inputs: [], loss: null },
    ...{ seed: 0, mode: null, packages: null, device: "cpu" },
  });
  return report.findings;
}

test.each([
  ["n03_skip_through_norm", "norm/skip-path", "normBranch"],
  ["n11_eps_outside_sqrt", "norm/eps-outside", "epsInside"],
  ["n13_init_name_miss", "init/missed", "endOfName"],
  ["n18_softmax_over_queries", "attention/softmax-axis", "softmaxAxis"],
  ["n20_sdpa_mask_flipped", "attention/mask-flipped", "turnMask"],
  ["n04_no_final_norm", "norm/no-final", "closingNorm", "Model"],
])("%s: %s is mended by %s", async (name, code, kind, entry = "") => {
  const file = join(root, "models", `${name}.py`);
  const source = readFileSync(file, "utf8");
  const finding = (await findingsOf(name, entry)).find((one) => one.code === code);
  const fix = finding && findingFix(finding, source);
  expect(fix?.kind, JSON.stringify(finding)).toBe(kind);
  if (!fix) return;
  writeFileSync(file, fixed(source, fix));
  expect((await findingsOf(name, entry)).map((one) => one.code)).toEqual([]);
});

test.each([
  ["n06_cloned_layers", "init/identical-layers"],
  ["n07_masked_row_grad", "attention/masked-rows"],
  ["n09_half_logits", "numbers/infinity"],
])("%s: %s needs a person", async (name, code) => {
  const source = readFileSync(join(root, "models", `${name}.py`), "utf8");
  const finding = (await findingsOf(name)).find((one) => one.code === code);
  expect(finding).toBeDefined();
  expect(finding && findingFix(finding, source)).toBeNull();
});
