/** Claims that need training: warm-up, the loss at the end, RMSNorm. */
import type { TrainReport } from "../../protocol/training.ts";
import { toNumber } from "../number.ts";
import { finalLoss, lossPlot } from "../training/history.ts";
import type { Measured } from "./initialisation.ts";
import type { Lab, LabTraining } from "./lab.ts";

const c3 = { vocab_size: 16, d_model: 32, n_layers: 6, n_heads: 2, d_ff: 128 };

const c3Run = (set: Readonly<Record<string, string>>, warmup: number): LabTraining => ({
  entry: "LabDecoder",
  set: { ...c3, ...set },
  seed: 0,
  training: {
    steps: 300,
    batch: 8,
    seq: 16,
    task: { name: "markov", file: null, order: "random", seed: 0 },
    schedule: { name: "constant", lr: 1e-2, warmup },
  },
});

const c3Setting =
  "Markov source of 16 symbols, 6 layers, d = 32, batch 8 × 16, Xavier, Adam, lr 1e-2, 300 steps, one seed.";

/** Means and deviations of eight seeds in PyTorch; the range is three deviations to each side. */
const warmUpRuns = [
  { name: "Post-LN, no warm-up", set: { placement: "post" }, warmup: 0, mean: 2.596, sd: 0.012 },
  { name: "Post-LN, warm-up 100", set: { placement: "post" }, warmup: 100, mean: 1.494, sd: 0.024 },
  { name: "Pre-LN, no warm-up", set: { placement: "pre" }, warmup: 0, mean: 1.458, sd: 0.02 },
  { name: "Pre-LN, warm-up 100", set: { placement: "pre" }, warmup: 100, mean: 1.464, sd: 0.019 },
] as const;

export async function warmUp(lab: Lab): Promise<Measured> {
  const reports = await lab.train(warmUpRuns.map(({ set, warmup }) => c3Run(set, warmup)));
  return {
    id: "warm-up",
    title: "Post-LN needs warm-up, Pre-LN does not",
    source: "Xiong et al. 2020, https://arxiv.org/abs/2002.04745, section 4.",
    setting: c3Setting,
    numbers: warmUpRuns.map(({ name, mean, sd }, at) => ({
      name: `${name}: loss of the last 20 steps`,
      expected: `${mean} ± ${sd}`,
      range: [mean - 3 * sd, mean + 3 * sd] as const,
      measured: finalLoss(reports[at]?.steps ?? []),
    })),
    plots: [
      lossPlot(
        reports.map((report, at) => ({
          name: warmUpRuns[at]?.name ?? "",
          report: every10(report),
        })),
      ),
    ],
    text:
      "A stall, not a divergence: without warm-up this Post-LN stays at the loss of one who knows only how often symbols " +
      "occur. It takes this depth and rate: at 2 layers, or at lr 3e-3, all four train.",
  };
}

/** Means of ten steps, which are easier to tell apart. */
function every10({ steps, reference }: TrainReport): Pick<TrainReport, "steps" | "reference"> {
  const kept = steps.filter(({ step }) => step % 10 === 0);
  const means = kept.map((last) => {
    const own = steps.slice(last.step - 10, last.step);
    const loss = own.reduce((sum, one) => sum + toNumber(one.loss), 0) / own.length;
    return { ...last, loss };
  });
  return { steps: means, reference };
}

export async function tunedLoss(lab: Lab, seeds: number): Promise<Measured> {
  const placements = ["post", "pre"] as const;
  const runs = placements.flatMap((placement) =>
    Array.from(
      { length: seeds },
      (_, seed): LabTraining => ({
        entry: "LabDecoder",
        set: {
          ...{ vocab_size: 128, d_model: 48, n_layers: 4, n_heads: 4, d_ff: 192 },
          ...{ placement, init: "torch" },
        },
        seed,
        training: {
          steps: 600,
          batch: 8,
          seq: 32,
          task: { name: "text", file: null, order: "random", seed },
          schedule: { name: "cosine", lr: 4e-3, warmup: 100 },
        },
      }),
    ),
  );
  const reports = await lab.train(runs);
  const losses = reports.map(({ steps }) => finalLoss(steps, 50));
  const differences = Array.from(
    { length: seeds },
    (_, seed) => (losses[seed] ?? Number.NaN) - (losses[seeds + seed] ?? Number.NaN),
  );
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / seeds;
  return {
    id: "final-loss",
    title: "A shallow Post-LN ends slightly lower than Pre-LN at the same rate",
    source: "Liu et al. 2020, https://arxiv.org/abs/2004.08249; Xiong et al. 2020, section 4.",
    setting: `Bundled text by bytes, 4 layers, d = 48, batch 8 × 32, PyTorch's default initialisation, Adam, lr 4e-3, warm-up 100, cosine, 600 steps, ${seeds} seeds.`,
    numbers: [
      {
        name: "Post minus Pre, mean over seeds",
        expected: "-0.040 ± 0.017 on another text",
        range: [-0.1, 0],
        measured: mean,
      },
      {
        name: "seeds in which Post is lower",
        expected: `${seeds} of ${seeds}`,
        range: [seeds, seeds],
        measured: differences.filter((difference) => difference < 0).length,
      },
    ],
    plots: [
      lossPlot(
        [0, seeds].map((at) => ({
          name: at === 0 ? "Post-LN, seed 0" : "Pre-LN, seed 0",
          report: every10(reports[at] as TrainReport),
        })),
      ),
    ],
    text:
      "At one rate for both, on the training text, last 50 steps. It is no ranking: in PyTorch, each at its best rate, the two " +
      "tie (-0.002 ± 0.010), Pre-LN over a wider range of rates, and with Xavier's initialisation Pre-LN is lower. The bundled text is " +
      "small, so that the end is partly memory.",
  };
}

export async function rmsNorm(lab: Lab): Promise<Measured> {
  const norms = ["LayerNorm", "RMSNorm"] as const;
  const reports = await lab.train(norms.map((norm) => c3Run({ placement: "pre", norm }, 0)));
  const [layer, rms] = reports as [TrainReport, TrainReport];
  const perStep = ({ timing }: TrainReport) => timing.trainMs / timing.trained;
  const saved = layer.graph.parameters - rms.graph.parameters;
  return {
    id: "rmsnorm",
    title: "RMSNorm is as good as LayerNorm, with fewer parameters",
    source: "Zhang and Sennrich 2019, https://arxiv.org/abs/1910.07467.",
    setting: c3Setting,
    numbers: [
      {
        name: "RMSNorm minus LayerNorm: loss of the last 20 steps",
        expected: "0, seeds differ by 0.02",
        range: [-0.06, 0.06],
        measured: finalLoss(rms.steps) - finalLoss(layer.steps),
      },
      {
        name: "parameters saved",
        expected: "13 norms × 32 = 416",
        range: [416, 416],
        measured: saved,
      },
      {
        name: "RMSNorm / LayerNorm: time of a training step",
        expected: "no saving on PyTorch's CPU",
        range: null,
        measured: perStep(rms) / perStep(layer),
      },
    ],
    plots: [
      lossPlot(norms.map((name, at) => ({ name, report: every10(reports[at] as TrainReport) }))),
    ],
    text:
      "The time is of this machine in this minute, and the saving is small against its noise: a runtime that computes " +
      "LayerNorm in one operation and RMSNorm in several gains nothing.",
  };
}
