/** Mistakes that only a batch with samples of different lengths shows, each in a script of its own. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";

const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
const models = fileURLToPath(new URL("./padding.py", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "normscope-padding-"));
copyFileSync(models, join(root, "padding.py"));
const lines = readFileSync(models, "utf8").split("\n");
let engine: Engine | null = null;

afterAll(async () => {
  await engine?.dispose();
  rmSync(root, { recursive: true });
});

/** What is found where the encoder is made with these arguments, with the text of each line. */
async function findingsOf(args: string): Promise<string[]> {
  writeFileSync(
    join(root, "script.py"),
    `from padding import *\n\n\ndef build():\n    return Encoder(${args})\n`,
  );
  engine ??= startEngine({ enginePath });
  const { findings } = await engine.run({
    ...{ root, file: "script.py", entry: null, set: {}, inputs: [], loss: null },
    ...{ seed: 0, mode: null, packages: null, device: "cpu" },
  });
  return findings.map(({ code, line }) => `${code}: ${lines[(line ?? 0) - 1]?.trim()}`);
}

const scores = "scores = scores + self.mask(idx == 0)";
const loss =
  "return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=self.ignored)";
const sum = "x = self.emb(idx) + self.pos(self.positions(idx))";

test.each([
  ["", []],
  ["mask=tokens_hidden", [`attention/padding-flipped: ${scores}`]],
  ["mask=queries_hidden", [`attention/padding-flipped: ${scores}`]],
  ["mask=nothing_hidden", [`attention/padding-seen: ${scores}`]],
  ["mask=None", ["attention/padding-seen: y = torch.softmax(scores, dim=-1) @ v"]],
  ["ignored=-100", [`loss/padding: ${loss}`]],
  ["positions=along_samples", [`model/positions-elsewhere: ${sum}`]],
  ["positions=all_the_same", [`init/positions: ${sum}`]],
] as const)("%s", async (args, found) => {
  const findings = await findingsOf(args);
  // The targets are the next tokens, and no mask hides them here.
  expect(findings.filter((one) => !one.startsWith("model/reads-future"))).toEqual(found);
});
