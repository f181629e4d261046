/** Runs of training, a sweep and claims, for tests of the pages alone: one can go on, one ended at a NaN. */

import type { ClaimsShown } from "../../../src/protocol/claimsPage.ts";
import type { Num } from "../../../src/protocol/report.ts";
import type { SweepShown } from "../../../src/protocol/sweepPage.ts";
import type {
  TrainingSeries,
  TrainingSummary,
  TrainingsShown,
} from "../../../src/protocol/trainingPage.ts";

const summaries: readonly TrainingSummary[] = [
  {
    id: "pre",
    name: "PreLNTransformer, n_layers=6: markov, adam 0.01, warm-up 100",
    at: 1_700_000_000_000,
    state: "stopped",
    step: 120,
    total: 300,
    loss: 1.52,
    message: null,
    place: null,
    canContinue: true,
  },
  {
    id: "post",
    name: "PostLNTransformer, n_layers=6: markov, sgd 100",
    at: 1_699_999_000_000,
    state: "not-finite",
    step: 80,
    total: 300,
    loss: "NaN",
    message: "post_ln.py:31 matmul in blocks.5.ffn, forward",
    place: { file: "post_ln.py", line: 31 },
    canContinue: false,
  },
];

const layers = ["embed", "blocks.0", "blocks.1", "blocks.2", "blocks.3", "blocks.4", "blocks.5"];

function series(summary: TrainingSummary): TrainingSeries {
  const steps = Array.from({ length: summary.step }, (_, at) => at + 1);
  const blocks = layers.slice(1);
  const isBroken = summary.state === "not-finite";
  const last = (step: number): boolean => isBroken && step === summary.step;
  const rows = (names: readonly string[], of: (row: number, step: number) => number) =>
    names.map((_, row) => steps.map((step): Num => (last(step) ? "NaN" : of(row, step))));
  return {
    summary,
    layers,
    blocks,
    reference: { unigram: 2.588, floor: 1.394 },
    findings: [],
    steps,
    loss: steps.map((step) => (last(step) ? "NaN" : 1.4 + 1.5 * Math.exp(-step / 40))),
    lr: steps.map(() => 0.01),
    layerGradients: rows(layers, (row, step) => (0.1 * (row + 1)) / Math.sqrt(step)),
    updateRatios: rows(layers, (row, step) => 0.01 / (row + step)),
    streamRms: rows(blocks, (row, step) => 1 + row * 0.4 + step / 100),
  };
}

export const sampleTrainings: TrainingsShown = {
  list: summaries,
  shown: summaries.map(series),
};

export const sampleSweep: SweepShown = {
  subject: "pre_ln.py:PreLNTransformer",
  axes: ["n_layers"],
  measure: "init",
  outcomes: [2, 4, 8].flatMap((depth, at) =>
    [0, 1].map((seed) => ({
      run: { index: 2 * at + seed, choices: { n_layers: String(depth) }, seed },
      result:
        depth === 8 && seed === 1
          ? null
          : {
              measures: {
                loss: 6 + seed / 10,
                "residual stream RMS, last": Math.sqrt(depth) + seed / 20,
              },
              placement: "Pre-LN",
            },
    })),
  ),
  failures: ["n_layers=8 seed=1: The memory does not suffice"],
  isRunning: false,
};

const depths = [2, 4, 8, 16, 32];

export const sampleClaims: ClaimsShown = {
  running: null,
  results: {
    depth: [
      {
        id: "gradient",
        title: "At initialisation the last layer's gradient falls with depth in Pre-LN",
        source: "Xiong et al. 2020, theorem 1.",
        setting: "Decoder of 2 to 32 layers, d = 32, 3 seeds.",
        text: "The final norm of Pre-LN divides the gradient by the size of the stream.",
        seconds: 12,
        numbers: [
          {
            name: "Pre-LN: exponent of depth",
            ...{ expected: "-0.46 ± 0.05", range: [-0.61, -0.31], measured: -0.47 },
          },
          { name: "Post / Pre", expected: "more than 3", range: [3, null], measured: 2.5 },
        ],
        plots: [
          {
            title: "Gradient of the last layer's W2 against depth",
            definition: "Norm, every seed",
            x: { label: "layers", isLog: true },
            y: { label: "gradient norm", isLog: true },
            lines: [
              { name: "Pre-LN", points: depths.map((depth) => [depth, depth ** -0.47] as const) },
              { name: "Post-LN", points: depths.map((depth) => [depth, 1] as const) },
            ],
          },
        ],
      },
    ],
  },
};
