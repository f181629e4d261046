/** Depth that adds nothing: branches of the last third that are next to nothing beside the stream. */
import type { BlockReport, Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { blockPlace, median, stacksOf } from "./stacks.ts";

const fewestBlocks = 6;
/** A branch above one per cent of the stream is not dead. */
const deadShare = 0.01;

export const deadBranches = ({ report, limits }: Evidence): Finding[] =>
  stacksOf(report.blocks).flatMap((blocks): Finding[] => {
    const third = Math.floor(blocks.length / 3);
    if (blocks.length < fewestBlocks) return [];
    const first = share(blocks.slice(0, third));
    const last = share(blocks.slice(-third));
    // Branches that start at exactly 0 are so by intent (ReZero).
    if (!(last > 0 && last < deadShare && first / last > limits.branchDecline)) return [];
    return [
      {
        code: "depth/dead-branches",
        severity: "warning",
        message: `The last ${third} of ${blocks.length} blocks add ${figure(100 * last)} % of the stream's RMS each, the first ${third} add ${figure(100 * first)} %`,
        ...blockPlace({ report }, blocks.at(-1)),
        evidence: { "first third": first, "last third": last, limit: limits.branchDecline },
      },
    ];
  });

const share = (blocks: readonly BlockReport[]): number =>
  median(blocks.flatMap(({ branches }) => branches.map(({ ratio }) => Number(ratio))));
