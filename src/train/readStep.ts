/** What the runs of one step gave → the numbers that are shown of it. */
import type { Value } from "../graph/graph.ts";
import { type Numbers, numel } from "../graph/tensor.ts";
import type { Num } from "../protocol/report.ts";
import type { TrainStep } from "../protocol/training.ts";
import { toNum } from "../stats/moments.ts";
import type { StepNumbers } from "./buildStep.ts";
import type { Layout } from "./layout.ts";

/** Outputs of the runs of one step, by value id: of every batch, then of the update. */
export type StepResults = readonly ReadonlyMap<number, Numbers>[];

export interface StepReader {
  step(results: StepResults, at: { readonly step: number; readonly lr: number }): TrainStep;
  /** Gradient norms in the order of `Layout.trained`. */
  parameters(results: StepResults): Num[];
}

export function createReader(
  layout: Layout,
  numbers: StepNumbers,
  streams: readonly Value[],
): StepReader {
  const members = layout.buckets.flatMap(({ members: of }) => of);
  const find = (results: StepResults, { id }: Value): Numbers =>
    results.map((of) => of.get(id)).findLast((of) => of !== undefined) ?? new Float32Array(0);
  const byLayer = (of: readonly { readonly layer: number }[], squares: Numbers): number[] => {
    const sums = layout.layers.map(() => 0);
    of.forEach(({ layer }, at) => {
      sums[layer] = (sums[layer] ?? 0) + (squares[at] ?? 0);
    });
    return sums;
  };

  return {
    step(results, { step, lr }) {
      const losses = results.flatMap((of) => of.get(numbers.loss.id)?.[0] ?? []);
      const gradients = byLayer(members, find(results, numbers.gradients));
      const updates = byLayer(layout.buckets, find(results, numbers.updates));
      const weights = byLayer(layout.buckets, find(results, numbers.weights));
      return {
        step,
        loss: toNum(losses.reduce((sum, loss) => sum + loss, 0) / losses.length),
        lr,
        gradient: toNum(Math.sqrt(gradients.reduce((sum, squares) => sum + squares, 0))),
        layerGradients: gradients.map((squares) => toNum(Math.sqrt(squares))),
        updateRatios: updates.map((squares, at) => toNum(Math.sqrt(squares / (weights[at] ?? 0)))),
        streamRms: numbers.streams.map((value, at) => {
          const [squares = Number.NaN] = find(results, value);
          return toNum(Math.sqrt(squares / numel(streams[at]?.shape ?? [])));
        }),
      };
    },
    parameters(results) {
      const squares = find(results, numbers.gradients);
      const of = new Map(members.map((member, at) => [member, squares[at] ?? Number.NaN]));
      return layout.trained.map((one) => toNum(Math.sqrt(of.get(one) ?? Number.NaN)));
    },
  };
}
