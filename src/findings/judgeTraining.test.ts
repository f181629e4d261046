import { expect, test } from "vitest";
import type { Num } from "../protocol/report.ts";
import type { TrainEnd, TrainStep } from "../protocol/training.ts";
import { judgeTraining } from "./judgeTraining.ts";
import { defaultLimits, limitsWith } from "./limits.ts";
import type { TrainedEvidence, TrainedRun } from "./trainedEvidence.ts";

const layers = ["embedding", "blocks.0", "blocks.1"];
const lines: Readonly<Record<string, number>> = { embedding: 4, "blocks.0": 7, "blocks.1": 7 };

type Steps = (step: number) => Partial<TrainStep>;

/** A run that learns, but for what `of` says of its steps. */
function evidence(count: number, of: Steps, more: Partial<TrainedRun> = {}): TrainedEvidence {
  const steps = Array.from({ length: count }, (_, at): TrainStep => {
    const gradients = { gradient: 1, layerGradients: [1, 1, 1], streamRms: [] };
    const usual = { loss: 1 + 2 * Math.exp(-at / 20), lr: 1e-3, updateRatios: [1e-3, 1e-3, 1e-3] };
    return { step: at + 1, ...gradients, ...usual, ...of(at + 1) };
  });
  const end: TrainEnd = { reason: "done", step: count, origin: null };
  return {
    run: {
      ...{ layers, steps, end, reference: { unigram: 2.5, floor: 1 } },
      settings: {
        ...{ steps: count, batch: 1, seq: 1, task: null, optimizer: { name: "adam" } },
        schedule: { name: "constant", lr: 1e-3, warmup: 0 },
        ...{ clip: null, accumulate: 1, directory: null, saveEvery: count, resume: false },
        threads: null,
      },
      ...more,
    },
    limits: defaultLimits,
    classes: null,
    lossPlace: { file: "gpt.py", line: 30 },
    placeOf: (layer) => ({ file: "gpt.py", line: lines[layer] ?? null }),
  };
}

const told = (given: TrainedEvidence): string[] =>
  judgeTraining(given).map(({ line, code, message }) => `${line} ${code} ${message}`);

const usual: Steps = () => ({});
const updates =
  (...updateRatios: readonly Num[]): Steps =>
  () => ({ updateRatios });

test("says nothing of a run that learns", () => {
  expect(told(evidence(200, usual))).toEqual([]);
});

test("tells layers whose updates are large or small beside the weights, at the line of the first", () => {
  expect(told(evidence(12, updates(0.2, 0.4, 2e-7)))).toEqual([
    "7 training/large-updates A step changes blocks.0, embedding by 0.4 to 0.2 of their weights' " +
      "norm (median of 12 steps; 1e-3 is usual): weights are replaced more than trained",
    "7 training/small-updates A step changes blocks.1 by 2.0e-7 of their weights' " +
      "norm (median of 12 steps; 1e-3 is usual): weights hardly move",
  ]);
  const limits = limitsWith({ updateMost: 0.5, updateLeast: 1e-8 });
  expect(judgeTraining({ ...evidence(12, updates(0.2, 0.4, 2e-7)), limits })).toEqual([]);
});

test("says nothing of a few steps, of layers that are not updated, and of a warm-up's updates", () => {
  expect(told(evidence(9, updates(0.4, 1e-3, 1e-3)))).toEqual([]);
  expect(told(evidence(12, updates(0, "NaN", "Infinity")))).toEqual([]);
  const warmUp: Steps = (step) =>
    step <= 40 ? { lr: 1e-6, updateRatios: [1e-7, 1e-7, 1e-7] } : {};
  expect(told(evidence(50, warmUp))).toEqual([]);
});

test("tells a loss that became NaN, at the line that made it", () => {
  const origin = { file: "gpt.py", line: 12, op: "log", module: "head", report: null };
  const end = { reason: "not-finite", step: 3, origin: { ...origin, pass: "forward" } } as const;
  const nan: Steps = (step) => (step === 3 ? { loss: "NaN", gradient: "NaN" } : {});
  expect(judgeTraining(evidence(3, nan, { end }))).toMatchObject([
    {
      ...{ code: "training/not-finite", kind: "measured", severity: "error", line: 12 },
      message:
        "The loss was not finite at step 3: log was the first to make such a number (forward)",
      evidence: { step: 3, loss: "NaN", lr: 1e-3 },
    },
  ]);
});

test("tells a loss that never fell below frequencies, or below ln V where they are not known", () => {
  const stuck: Steps = () => ({ loss: 2.495 });
  expect(told(evidence(120, stuck))).toEqual([
    "30 training/unlearnt In 120 steps the loss came to 2.5 (median of 20), and symbol " +
      "frequencies alone give 2.5: nothing was learnt of what comes before",
  ]);
  expect(told(evidence(99, stuck))).toEqual([]);
  const unknown = { reference: { unigram: null, floor: null } };
  expect(told(evidence(120, stuck, unknown))).toEqual([]);
  const classes = Math.round(Math.exp(2.48));
  expect(told({ ...evidence(120, stuck, unknown), classes })).toHaveLength(1);
  expect(told({ ...evidence(120, usual, unknown), classes })).toEqual([]);
});

test("tells a loss that rises at once, unless it still warms up", () => {
  const rising: Steps = (step) => ({ loss: step === 8 ? 5 : 3 - step / 100 });
  expect(told(evidence(60, rising))).toEqual([
    "30 training/early-rise The loss rose from 2.99 to 5 at step 8, at a learning rate of " +
      "0.001 without warm-up",
  ]);
  const settings = {
    ...evidence(60, usual).run.settings,
    schedule: { name: "constant", lr: 1e-3, warmup: 10 },
  } as const;
  expect(told(evidence(60, rising, { settings }))).toEqual([]);
});

test("tells gradients that jump, but not those of a batch that is known by heart", () => {
  const spikes: Steps = (step) => ({ gradient: step === 70 ? 40 : step === 90 ? 30 : 1 });
  expect(told(evidence(120, spikes))).toEqual([
    "30 training/gradient-spikes At step 70 the gradients' norm was 40, 40 times the median of " +
      "the 20 steps before (not clipped); 2 steps of 120 like it",
  ]);
  const learnt: Steps = (step) => ({ gradient: step === 100 ? 0.02 : Math.exp(-step / 10) });
  expect(told(evidence(120, learnt))).toEqual([]);
});
