/** The steps of a run of training as series, plots and columns. */
import type { Num } from "../../protocol/report.ts";
import type { TrainReport, TrainStep } from "../../protocol/training.ts";
import { toNumber } from "../number.ts";
import type { Plot, PlotLine } from "../plot.ts";

/** Name and value of every number of a step, in a fixed order. */
export function columnsOf({ layers, blocks }: Pick<TrainReport, "layers" | "blocks">) {
  return (step: TrainStep): readonly (readonly [name: string, value: Num])[] => [
    ["loss", step.loss],
    ["lr", step.lr],
    ["gradient", step.gradient],
    ...layers.map((layer, at) => [`gradient/${layer}`, step.layerGradients[at] ?? "NaN"] as const),
    ...layers.map((layer, at) => [`update/${layer}`, step.updateRatios[at] ?? "NaN"] as const),
    ...blocks.map((block, at) => [`stream/${block}`, step.streamRms[at] ?? "NaN"] as const),
  ];
}

/** The mean loss of the last steps. */
export function finalLoss(steps: readonly TrainStep[], count = 20): number {
  const last = steps.slice(-count);
  return last.reduce((sum, { loss }) => sum + toNumber(loss), 0) / last.length;
}

export interface NamedRun {
  readonly name: string;
  readonly report: Pick<TrainReport, "steps" | "reference">;
}

/** Loss over steps, of several runs; what can be known of it as horizontal lines. */
export function lossPlot(runs: readonly NamedRun[]): Plot {
  const steps = runs.flatMap(({ report }) => report.steps.map(({ step }) => step));
  const last = steps.reduce((a, b) => Math.max(a, b), 1);
  const { unigram = null, floor = null } = runs[0]?.report.reference ?? {};
  const level = (name: string, at: number | null): PlotLine[] =>
    at === null || at === 0
      ? []
      : [
          {
            name,
            isReference: true,
            points: [
              [1, at],
              [last, at],
            ],
          },
        ];
  return {
    title: "Loss",
    definition: "Mean loss of each step's batch, in nats",
    x: { label: "step", isLog: false },
    y: { label: "loss", isLog: false },
    lines: [
      ...runs.map(({ name, report }): PlotLine => {
        return { name, points: report.steps.map(({ step, loss }) => [step, toNumber(loss)]) };
      }),
      ...level("symbol frequencies", unigram),
      ...level("entropy of the source", floor),
    ],
  };
}

export const linePlot = (
  title: string,
  definition: string,
  points: readonly (readonly [number, number])[],
  isLog: boolean,
): Plot => ({
  title,
  definition,
  x: { label: "step", isLog: false },
  y: { label: title, isLog },
  lines: [{ name: title, points }],
});
