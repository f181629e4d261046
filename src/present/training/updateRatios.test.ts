import { expect, test } from "vitest";
import type { TrainStep } from "../../protocol/training.ts";
import { unusualUpdates, updateSentences } from "./updateRatios.ts";

const layers = ["embedding", "blocks.0", "blocks.1"];

function step(at: number, lr: number, updateRatios: TrainStep["updateRatios"]): TrainStep {
  const gradients = { gradient: 1, layerGradients: [1, 1, 1], streamRms: [] };
  return { step: at, loss: 1, lr, updateRatios, ...gradients };
}

const run = (count: number, ratios: TrainStep["updateRatios"], lr = 1e-3): TrainStep[] =>
  Array.from({ length: count }, (_, i) => step(i + 1, lr, ratios));

test("tells layers whose updates are large or small beside the weights", () => {
  const steps = run(12, [0.4, 1e-3, 2e-7]);
  expect(unusualUpdates({ layers, steps })).toEqual([
    { layer: "embedding", ratio: 0.4, steps: 12 },
    { layer: "blocks.1", ratio: 2e-7, steps: 12 },
  ]);
  expect(updateSentences({ layers, steps })).toEqual([
    "update / weights 0.400 in embedding (median of 12 steps; 1e-3 is usual): " +
      "weights are replaced more than trained: a smaller lr, or a warm-up",
    "update / weights 2.00e-7 in blocks.1 (median of 12 steps; 1e-3 is usual): " +
      "weights hardly move: a larger lr, or another optimiser for them",
  ]);
});

test("says nothing of usual updates, of a few steps, and of layers that are not updated", () => {
  expect(updateSentences({ layers, steps: run(12, [1e-2, 1e-3, 1e-4]) })).toEqual([]);
  expect(updateSentences({ layers, steps: run(9, [0.4, 1e-3, 1e-3]) })).toEqual([]);
  expect(updateSentences({ layers, steps: run(12, [0, "NaN", "Infinity"]) })).toEqual([]);
});

test("steps of the warm-up and of a decayed rate do not count", () => {
  const warmUp = run(40, [1e-7, 1e-7, 1e-7], 1e-6);
  const steps = [...warmUp, ...run(10, [1e-3, 1e-3, 1e-3])];
  expect(unusualUpdates({ layers, steps })).toEqual([]);
});
