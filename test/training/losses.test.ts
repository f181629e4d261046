/** Fifty steps of every optimiser, beside the losses that real PyTorch had. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import type { OptimizerSettings, TrainRequest } from "../../src/protocol/training.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "test/golden/training");

interface Case {
  readonly name: string;
  readonly optimizer: OptimizerSettings;
  readonly lr: number;
  readonly warmup: number;
  readonly clip: number | null;
  readonly accumulate: number;
  readonly mode: "eval" | "train";
  readonly steps: number;
  readonly file: string;
  readonly entry: string;
  readonly set: Readonly<Record<string, number>>;
  readonly losses: readonly number[];
}

const recorded = JSON.parse(readFileSync(join(folder, "losses.json"), "utf8")) as {
  readonly batch: number;
  readonly seq: number;
  readonly cases: readonly Case[];
};

const engine = startEngine({ enginePath: join(root, "dist/engine.mjs") });
afterAll(() => engine.dispose());

const requestOf = (one: Case): TrainRequest => ({
  root,
  file: one.file,
  entry: one.entry,
  set: Object.fromEntries(Object.entries(one.set).map(([name, value]) => [name, String(value)])),
  inputs: [],
  loss: null,
  seed: 0,
  mode: one.mode,
  packages: null,
  device: "cpu",
  training: {
    steps: one.steps,
    batch: recorded.batch,
    seq: recorded.seq,
    task: { name: "file", file: join(folder, "tokens.bin"), order: "sequential", seed: 0 },
    optimizer: one.optimizer,
    schedule: { name: "constant", lr: one.lr, warmup: one.warmup },
    clip: one.clip,
    accumulate: one.accumulate,
    directory: null,
    saveEvery: 1000,
    resume: false,
    threads: 1,
  },
});

test("finds the cases", () => expect(recorded.cases.length).toBeGreaterThan(40));

test.each(recorded.cases)("$name", { timeout: 240_000 }, async (one) => {
  const { steps } = await engine.train(requestOf(one));
  const off = steps.map(({ loss }, at) => Math.abs(Number(loss) / (one.losses[at] ?? 0) - 1));
  expect(off).toHaveLength(one.steps);
  expect(Math.max(...off.slice(0, 10))).toBeLessThan(1e-4);
  expect(Math.max(...off)).toBeLessThan(1e-3);
});
