/** Scripts of many kinds, fifty steps each on their own batch, beside the losses that real PyTorch had. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = "test/training/scripts";
const recorded = JSON.parse(
  readFileSync(join(root, "test/golden/training/scripts.json"), "utf8"),
) as {
  readonly lr: number;
  readonly clip: number;
  readonly losses: Readonly<Record<string, readonly number[]>>;
};

const engine = startEngine({ enginePath: join(root, "dist/engine.mjs") });
afterAll(() => engine.dispose());

test("every script is recorded", () => {
  const scripts = readdirSync(join(root, folder)).filter((name) => name.endsWith(".py"));
  expect(scripts.length).toBeGreaterThan(5);
  expect(Object.keys(recorded.losses).toSorted()).toEqual(scripts.toSorted());
});

test.each(Object.entries(recorded.losses))("%s", { timeout: 240_000 }, async (script, theirs) => {
  const { steps } = await engine.train({
    ...{ root, file: `${folder}/${script}`, entry: null, set: {}, inputs: [], loss: null },
    ...{ seed: 0, mode: null, packages: null, device: "cpu" },
    training: {
      ...{ steps: theirs.length, batch: 8, seq: 16, task: null, optimizer: { name: "adam" } },
      schedule: { name: "constant", lr: recorded.lr, warmup: 0 },
      ...{ clip: recorded.clip, accumulate: 1, directory: null, saveEvery: 1000 },
      ...{ resume: false, threads: 1 },
    },
  });
  const off = steps.map(({ loss }, at) => Math.abs(Number(loss) / (theirs[at] ?? 0) - 1));
  expect(off).toHaveLength(theirs.length);
  expect(Math.max(...off.slice(0, 10))).toBeLessThan(1e-4);
  expect(Math.max(...off)).toBeLessThan(1e-3);
});
