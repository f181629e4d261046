/** Steps that an ONNX Loop takes together, beside the same steps as runs of their own. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import type { TrainReport, TrainRequest, TrainSettings } from "../../src/protocol/training.ts";
import { optimizerNames } from "../../src/protocol/training.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
const engine = startEngine({ enginePath: join(root, "dist/engine.mjs") });
const folder = realpathSync(mkdtempSync(join(tmpdir(), "normscope-loops-")));
afterAll(async () => {
  await engine.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function request(training: Partial<TrainSettings>, more: Partial<TrainRequest> = {}): TrainRequest {
  return {
    ...{ root, file: "models/lab.py", entry: "LabDecoder" },
    set: { n_layers: "2", d_model: "16", d_ff: "32" },
    ...{ inputs: [], loss: null, seed: 0, mode: "train", packages: null, device: "cpu" },
    ...more,
    training: {
      ...{ steps: 9, batch: 2, seq: 8, optimizer: { name: "adam" } },
      task: { name: "markov", file: null, order: "random", seed: 0 },
      schedule: { name: "cosine", lr: 1e-2, warmup: 3 },
      ...{ clip: null, accumulate: 1, directory: null, saveEvery: 100, resume: false, threads: 1 },
      ...training,
    },
  };
}

const dropout = { file: "test/training/with_dropout.py", entry: "WithDropout", set: {} };

/** All that is measured, to the last bit. */
function expectSame(looped: TrainReport, single: TrainReport): void {
  expect(looped.steps).toEqual(single.steps);
  expect(looped.parameterGradients).toEqual(single.parameterGradients);
  expect(looped.graph).toEqual(single.graph);
}

const kinds: [string, Partial<TrainSettings>, Partial<TrainRequest>][] = [
  ...optimizerNames.map((name): [string, Partial<TrainSettings>, Partial<TrainRequest>] => [
    name,
    { optimizer: { name, weightDecay: 0.1, ...(name === "sgd" && { momentum: 0.9 }) } },
    {},
  ]),
  ["clipping", { clip: 0.1 }, {}],
  ["accumulated batches", { accumulate: 3 }, {}],
  ["accumulated batches, clipped, with dropout", { accumulate: 2, clip: 0.5 }, dropout],
  ["dropout", {}, dropout],
  ["the batch of the model's own", { task: null }, dropout],
];

test.each(kinds)("gives the numbers of single steps: %s", async (_, settings, model) => {
  const single = await engine.train(request({ ...settings, stepsPerCall: 1 }, model));
  const looped = await engine.train(request({ ...settings, stepsPerCall: 4 }, model));
  expect(single.steps).toHaveLength(9);
  expectSame(looped, single);
});

test("ends at numbers that are not finite, with the state before them", async () => {
  const schedule = { name: "constant", lr: 30, warmup: 40 } as const;
  const diverging = { steps: 60, optimizer: { name: "sgd" }, schedule } as const;
  const single = await engine.train(request({ ...diverging, stepsPerCall: 1 }));
  expect(single.end).toMatchObject({ reason: "not-finite" });
  expect(single.end.step).toBeGreaterThan(2);
  // The step that fails is the first of a loop, one within it and its last.
  for (const stepsPerCall of [single.end.step - 1, single.end.step + 3, single.end.step]) {
    const looped = await engine.train(request({ ...diverging, stepsPerCall }));
    expect(looped.end.step).toBe(single.end.step);
    expect(looped.end.origin).toMatchObject({ line: single.end.origin?.line });
    expect(looped.end.origin?.report?.values).toEqual(single.end.origin?.report?.values);
    expectSame(looped, single);
  }
});

test("goes on from a step that is no multiple of its own, and with another number of them", async () => {
  // What the rate of a step is must not hang on how many there are.
  const schedule = { name: "constant", lr: 1e-2, warmup: 3 } as const;
  const whole = await engine.train(request({ schedule, stepsPerCall: 1 }, dropout));
  const directory = join(folder, "parts");
  const part = { schedule, directory, saveEvery: 3 };
  await engine.train(request({ ...part, steps: 5, stepsPerCall: 4 }, dropout));
  await engine.train(request({ ...part, steps: 7, stepsPerCall: 1, resume: true }, dropout));
  const last = request({ ...part, stepsPerCall: 2, resume: true }, dropout);
  expect((await engine.train(last)).steps).toEqual(whole.steps);
});

test("says that a model that is traced anew takes one step a run", async () => {
  const counted = { steps: 3, retrace: true };
  const single = await engine.train(request({ ...counted, stepsPerCall: 1 }));
  const looped = await engine.train(request({ ...counted, stepsPerCall: 4 }));
  expect(looped.steps).toEqual(single.steps);
  expect(looped.notes.join()).toContain("Each step is a run of its own");
  expect(single.notes.join()).not.toContain("Each step is a run of its own");
});

test("parameters of one element keep a tensor each", async () => {
  const narrow = { set: { n_layers: "1", d_model: "1", n_heads: "1", d_ff: "1" } };
  const lion = { optimizer: { name: "lion" }, steps: 5 } as const;
  const single = await engine.train(request({ ...lion, stepsPerCall: 1 }, narrow));
  expect(single.end.reason).toBe("done");
  expectSame(await engine.train(request({ ...lion, stepsPerCall: 5 }, narrow)), single);
  const anew = await engine.train(request({ ...lion, retrace: true }, narrow));
  expect(anew.end.reason).toBe("done");
});
