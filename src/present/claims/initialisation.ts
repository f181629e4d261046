/** Claims about gradients and the residual stream before any training. */
import type { ClaimResult } from "../../protocol/claimsPage.ts";
import type { RunReport } from "../../protocol/report.ts";
import { depthProfiles } from "../depthProfiles.ts";
import { toNumber } from "../number.ts";
import type { PlotLine, Point } from "../plot.ts";
import { fitPower } from "../sweep/results.ts";
import { slopeText } from "../sweep/tables.ts";
import { type Lab, type LabModel, tokens } from "./lab.ts";

export type Measured = Omit<ClaimResult, "seconds">;

const xiong = "Xiong et al. 2020, https://arxiv.org/abs/2002.04745, theorem 1 and lemma 2.";
const depths = [2, 4, 8, 16, 32] as const;
const placements = ["post", "pre"] as const;
const names = { post: "Post-LN", pre: "Pre-LN" } as const;
type Placement = (typeof placements)[number];

interface Place {
  readonly placement: Placement;
  readonly depth: number;
  readonly gradient: number;
  /** Mean square of what leaves each block. */
  readonly stream: readonly number[];
}

/** Gradient of the last layer and size of the stream, over depth: one set of runs for both. */
export async function overDepth(lab: Lab, seeds: number): Promise<Measured[]> {
  const chosen = placements.flatMap((placement) =>
    depths.flatMap((depth) =>
      Array.from({ length: seeds }, (_, seed) => ({ placement, depth, seed })),
    ),
  );
  const models = chosen.map(({ placement, depth, seed }): LabModel => {
    const set = { ...size, n_layers: depth, placement };
    return { entry: "LabDecoder", set, seed, inputs: [tokens("idx", 4, 16, 64)] };
  });
  const reports = await lab.init(models);
  const places = reports.map((report, at): Place => {
    const { placement, depth } = chosen[at] as (typeof chosen)[number];
    const gradient = valuesOf(report, "ffnWeightGradient").at(-1) ?? Number.NaN;
    const stream = valuesOf(report, "streamRms").map((rms) => rms ** 2);
    return { placement, depth, gradient, stream };
  });
  const setting = `Decoder of ${depths.join(", ")} layers, d = 32, batch 4 × 16, Xavier, ${seeds} seeds.`;
  return [gradientClaim(places, setting), streamClaim(places, setting)];
}

const size = { vocab_size: 64, d_model: 32, n_heads: 4, d_ff: 128 };

/** Of the first stack, one a block. */
const valuesOf = (report: RunReport, id: string): number[] =>
  depthProfiles(report)[0]
    ?.series.find((it) => it.id === id)
    ?.values.map(toNumberOr) ?? [];

const gradients = (places: readonly Place[], placement: Placement) =>
  places
    .filter((place) => place.placement === placement)
    .map(({ depth, gradient }): Point => [depth, gradient]);

function gradientClaim(places: readonly Place[], setting: string): Measured {
  const [post, pre] = placements.map((placement) => fitPower(gradients(places, placement)));
  const means = depths.map((depth) => ratioAt(places, depth));
  const ratio = fitPower(depths.map((depth, at) => [depth, means[at] ?? Number.NaN]));
  const theory: PlotLine = {
    name: "∝ L^-1/2",
    isReference: true,
    points: depths.map((depth) => [depth, meanAt(places, "pre", 2) * Math.sqrt(2 / depth)]),
  };
  return {
    id: "gradient",
    title: "At initialisation the last layer's gradient falls with depth in Pre-LN, not in Post-LN",
    source: xiong,
    setting,
    numbers: [
      {
        name: "Post-LN: exponent of depth",
        expected: "0.05 ± 0.08, theory 0",
        range: [-0.19, 0.29],
        measured: post?.slope ?? Number.NaN,
      },
      {
        name: "Pre-LN: exponent of depth",
        expected: "-0.46 ± 0.05, theory -1/2",
        range: [-0.61, -0.31],
        measured: pre?.slope ?? Number.NaN,
      },
      {
        name: "Post / Pre: exponent of depth",
        expected: "about 1/2",
        range: [0.3, 0.7],
        measured: ratio?.slope ?? Number.NaN,
      },
      {
        name: "Post / Pre at 32 layers",
        expected: "more than 3",
        range: [3, null],
        measured: means.at(-1) ?? Number.NaN,
      },
    ],
    plots: [
      {
        title: "Gradient of the last layer's W2 against depth",
        definition: "Norm, every seed",
        x: { label: "layers", isLog: true },
        y: { label: "gradient norm", isLog: true },
        lines: [
          ...placements.map((placement, at) => ({
            name: `${names[placement]}: slope ${slopeOr([post, pre][at] ?? null)}`,
            points: gradients(places, placement),
          })),
          theory,
        ],
      },
    ],
    text:
      "The final norm of Pre-LN divides the gradient by the size of the stream, which grows as √L. The theorem is an " +
      "upper bound; what is compared here is what PyTorch measured at this size over 8 seeds.",
  };
}

const slopeOr = (fit: Parameters<typeof slopeText>[0] | null): string =>
  fit === null ? "unknown" : slopeText(fit);

function meanAt(places: readonly Place[], placement: Placement, depth: number): number {
  const own = places.filter((place) => place.placement === placement && place.depth === depth);
  return own.reduce((sum, { gradient }) => sum + gradient, 0) / own.length;
}

const ratioAt = (places: readonly Place[], depth: number): number =>
  meanAt(places, "post", depth) / meanAt(places, "pre", depth);

function streamClaim(places: readonly Place[], setting: string): Measured {
  const deepest = Math.max(...depths);
  const [post = [], pre = []] = placements.map((placement) => {
    const own = places.filter((at) => at.placement === placement && at.depth === deepest);
    return Array.from({ length: deepest }, (_, block): Point => {
      const sum = own.reduce((total, { stream }) => total + (stream[block] ?? Number.NaN), 0);
      return [block + 1, sum / own.length];
    });
  });
  return {
    id: "stream",
    title: "The residual stream's variance grows linearly over layers in Pre-LN, not in Post-LN",
    source: xiong,
    setting,
    numbers: [
      {
        name: `Pre-LN: R² of the straight line, ${deepest} layers`,
        expected: "0.98 to 0.999",
        range: [0.98, 1],
        measured: straightness(pre),
      },
      {
        name: "Post-LN: mean square, largest over all layers",
        expected: "1.00",
        range: [0.99, 1.01],
        measured: Math.max(...post.map(([, y]) => y)),
      },
    ],
    plots: [
      {
        title: "Mean square of the stream after each block",
        definition: `Mean of the seeds, ${deepest} layers`,
        x: { label: "layer", isLog: false },
        y: { label: "mean square", isLog: false },
        lines: [
          { name: names.post, points: post },
          { name: names.pre, points: pre },
        ],
      },
    ],
    text: "Branches that are nearly independent add their variances. Each norm of Post-LN sets the stream back to one.",
  };
}

/** Share of the variance that a straight line explains. */
function straightness(points: readonly Point[]): number {
  const n = points.length;
  const [meanX, meanY] = [0, 1].map((k) => points.reduce((sum, p) => sum + (p[k] ?? 0), 0) / n);
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    xx += (x - (meanX ?? 0)) ** 2;
    xy += (x - (meanX ?? 0)) * (y - (meanY ?? 0));
    yy += (y - (meanY ?? 0)) ** 2;
  }
  return (xy * xy) / (xx * yy);
}

/** Gradient against the layer's index, in the decoder of a translation model. */
export async function overLayers(lab: Lab, seeds: number): Promise<Measured> {
  const chosen = placements.flatMap((placement) =>
    Array.from({ length: seeds }, (_, seed) => ({ placement, seed })),
  );
  const reports = await lab.init(
    chosen.map(({ placement, seed }): LabModel => {
      const inputs = ["src", "idx"].map((name) => tokens(name, 8, 32, 256));
      return { entry: "LabEncoderDecoder", set: { placement }, seed, inputs };
    }),
  );
  const profiles = reports.map((report) => {
    const decoder = depthProfiles(report).find(({ stack }) => stack === "decoder");
    return (
      decoder?.series.find(({ id }) => id === "ffnWeightGradient")?.values.map(toNumberOr) ?? []
    );
  });
  const own = (placement: Placement) =>
    profiles.filter((_, at) => chosen[at]?.placement === placement);
  const slope = (placement: Placement) =>
    own(placement).reduce((sum, values) => sum + perLayer(values), 0) / seeds;
  return {
    id: "layers",
    title: "In a Post-LN translation model the decoder's gradient grows with the layer's index",
    source: `${xiong} Its figure is of a 6-6 translation model.`,
    setting: `Encoder and decoder of 6 layers, d = 64, batch 8 × 32, Xavier, ${seeds} seeds.`,
    numbers: [
      {
        name: "Post-LN: doublings a layer",
        expected: "0.58 ± 0.07",
        range: [0.37, 0.79],
        measured: slope("post"),
      },
      {
        name: "Pre-LN: doublings a layer",
        expected: "-0.13 ± 0.03",
        range: [-0.22, -0.04],
        measured: slope("pre"),
      },
    ],
    plots: [
      {
        title: "Gradient of W2 over the decoder's layers",
        definition: "Norm, every seed",
        x: { label: "layer", isLog: false },
        y: { label: "gradient norm", isLog: true },
        lines: placements.map((placement): PlotLine => {
          const points = own(placement).flatMap((values) =>
            values.map((value, at): Point => [at + 1, value]),
          );
          return { name: names[placement], points };
        }),
      },
    ],
    text:
      "Only the decoder of an encoder-decoder shows it: cross-attention adds what carries no gradient back to the " +
      "decoder's stream. In decoder-only and encoder-only stacks the weight gradients are flat.",
  };
}

const toNumberOr = (num: Parameters<typeof toNumber>[0] | null): number => toNumber(num ?? "NaN");

/** Slope of log₂ over the index. */
function perLayer(values: readonly number[]): number {
  const n = values.length;
  const mean = (n - 1) / 2;
  const logs = values.map(Math.log2);
  const level = logs.reduce((sum, y) => sum + y, 0) / n;
  const xy = logs.reduce((sum, y, x) => sum + (x - mean) * (y - level), 0);
  const xx = logs.reduce((sum, _, x) => sum + (x - mean) ** 2, 0);
  return xy / xx;
}
