/** Runs of training as charts: loss over steps of all of them, and heat maps step by layer of each. */
import { thinned } from "../../src/present/plot.ts";
import type { Num } from "../../src/protocol/report.ts";
import type { TrainingSeries } from "../../src/protocol/trainingPage.ts";
import type { Grid } from "./grid.ts";
import type { ChartLine, LineChart } from "./lineChart.ts";

/** Null where no run has taken a step. */
export function lossChart(runs: readonly TrainingSeries[]): LineChart | null {
  const longest = runs.reduce<readonly number[]>(
    (most, { steps }) => ((steps.at(-1) ?? 0) > (most.at(-1) ?? 0) ? steps : most),
    [],
  );
  if (longest.length === 0) return null;
  const { unigram, floor } = runs[0]?.reference ?? { unigram: null, floor: null };
  return {
    title: "Loss",
    definition: "Mean loss of each step's batch, in nats",
    across: "step",
    labels: longest.map(String),
    lines: [
      ...runs.map((run): ChartLine => {
        const values = longest.map((step) => valueAt(run.steps, run.loss, step));
        return { name: run.summary.name, values, modules: [] };
      }),
      ...levelLine("symbol frequencies", unigram, longest),
      ...levelLine("entropy of the source", floor, longest),
    ],
    isLinear: true,
  };
}

/** What a model reaches that knows this much: a line that no run made. */
const levelLine = (
  name: string,
  level: number | null,
  steps: readonly number[],
): readonly ChartLine[] =>
  level === null || level === 0 ? [] : [{ name, values: steps.map(() => level), modules: [] }];

/** Of the last step up to this one; null after the run's end. */
function valueAt(steps: readonly number[], values: readonly Num[], step: number): Num | null {
  if (step > (steps.at(-1) ?? 0)) return null;
  const at = steps.findLastIndex((own) => own <= step);
  return values[at] ?? null;
}

/** As many columns as are told apart. */
const columnsOfMap = 60;

/** Gradient norm and update ratio of every layer, and the stream after every block, over steps. */
export function trainingGrids(run: TrainingSeries): Grid[] {
  const kept = thinned(
    run.steps.map((_, at) => at),
    columnsOfMap,
  );
  const columns = kept.map((at) => String(run.steps[at] ?? at));
  const grid = (
    title: string,
    definition: string,
    names: readonly string[],
    values: readonly (readonly Num[])[],
  ): Grid[] =>
    names.length === 0 || columns.length === 0
      ? []
      : [
          {
            title,
            definition,
            across: "step",
            columns,
            rows: names.map((label, row) => ({
              label,
              place: null,
              values: kept.map((at) => values[row]?.[at] ?? null),
            })),
          },
        ];
  return [
    ...grid(
      "Gradient norm over steps",
      "Norm of the gradients of a layer's parameters, before clipping",
      run.layers,
      run.layerGradients,
    ),
    ...grid(
      "Residual stream over steps",
      "Root mean square of the stream that leaves a block",
      run.blocks,
      run.streamRms,
    ),
    ...grid(
      "Update to weight over steps",
      "Norm of a layer's update / norm of its weights before it",
      run.layers,
      run.updateRatios,
    ),
  ];
}
