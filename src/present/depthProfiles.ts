/** What each block of a stack measured, as series over depth. */
import type { BlockReport, Num, RunReport } from "../protocol/report.ts";
import { ffnWeight, moduleAt, pathBelow, type Stack, stacks } from "./blocks.ts";

export interface DepthProfile {
  /** Path of the stack: "blocks". */
  readonly stack: string;
  /** "Pre-LN", …; "mixed" where the blocks differ. */
  readonly placement: string;
  /** One a block, first to last. */
  readonly labels: readonly string[];
  readonly series: readonly DepthSeries[];
}

export interface DepthSeries {
  /** The same in every report, so that two can be laid over one another. */
  readonly id: string;
  /** Long enough for an axis. */
  readonly label: string;
  /** Short enough for a column. */
  readonly short: string;
  readonly definition: string;
  readonly values: readonly (Num | null)[];
}

export const depthProfiles = (report: RunReport): DepthProfile[] =>
  stacks(report).map((stack) => profile(report, stack));

function profile(report: RunReport, { path, blocks }: Stack): DepthProfile {
  const series = (
    id: string,
    [label, short]: readonly [string, string],
    definition: string,
    of: (block: BlockReport) => Num | null,
  ): DepthSeries => ({
    id,
    label,
    short,
    definition,
    values: blocks.map(({ block }) => of(block)),
  });
  const placements = new Set(blocks.map(({ block }) => block.placement));
  return {
    stack: path,
    placement: placements.size === 1 ? [...placements].join() : "mixed",
    labels: blocks.map(({ label }) => label),
    series: [
      series(
        "streamRms",
        ["residual stream RMS", "stream"],
        "root mean square of the residual stream that leaves the block",
        (block) => block.streamRms,
      ),
      ...branchNames(blocks.map(({ block }) => block)).map((name, position) =>
        series(
          `branchRatio.${position}`,
          [`${name} / stream`, `${name} / stream`],
          `root mean square of what ${name} adds, over that of the stream it is added to`,
          (block) => block.branches[position]?.ratio ?? null,
        ),
      ),
      series(
        "outputGradient",
        ["gradient at block output", "grad at output"],
        "root mean square of the loss's gradient with respect to the block's output",
        (block) => outputGradient(report, block),
      ),
      series(
        "ffnWeightGradient",
        ["FFN weight gradient", "FFN weight grad"],
        "L2 norm of the gradient of the last linear weight in the block's last branch",
        (block) => ffnWeight(report, block)?.gradient?.l2 ?? null,
      ),
      series(
        "backwardGain",
        ["backward gain", "gain"],
        "L2 norm of the gradient at the block's input, over that at its output",
        (block) => block.backwardGain,
      ),
    ],
  };
}

/** RMS of the gradient at the block's output, or at the first output of its module's last call. */
export const outputGradient = (report: RunReport, { path, ...own }: BlockReport): Num | null =>
  own.outputGradient ?? moduleAt(report, path)?.calls.at(-1)?.gradient[0]?.rms ?? null;

/** What the branches are called in the block that has most of them. */
function branchNames(blocks: readonly BlockReport[]): string[] {
  const most = blocks.reduce<BlockReport | null>(
    (best, block) => (block.branches.length > (best?.branches.length ?? 0) ? block : best),
    null,
  );
  if (most === null) return [];
  return most.branches.map(({ path }) => pathBelow(path, most.path));
}
