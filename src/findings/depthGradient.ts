/** Gradients that each block multiplies by the same factor, so that depth makes them vanish or explode. */
import type { Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { blockPlace, median, stacksOf } from "./stacks.ts";

const fewestBlocks = 6;

/**
 * By the later half's median as well: first blocks behind a small embedding multiply by much, and
 * what they multiply by does not go on with depth.
 */
export const depthGradient = ({ report, limits }: Evidence): Finding[] =>
  stacksOf(report.blocks).flatMap((blocks): Finding[] => {
    const gains = blocks.map(({ backwardGain }) => Number(backwardGain ?? Number.NaN));
    const known = gains.filter((gain) => gain > 0 && Number.isFinite(gain));
    if (known.length < fewestBlocks || known.length < blocks.length - 1) return [];
    const gain = median(known.slice(Math.floor(known.length / 2)));
    const goesOn = gain ** blocks.length;
    const total = known.reduce((product, one) => product * one, 1);
    const isLost = Math.max(total, goesOn) < 1 / limits.depthGradient;
    if (!isLost && Math.min(total, goesOn) < limits.depthGradient) return [];
    const [first] = blocks;
    const course = isLost ? `${figure(1 / total)} times smaller` : `${figure(total)} times larger`;
    return [
      {
        code: isLost ? "depth/vanishing" : "depth/exploding",
        severity: "warning",
        message: `A block multiplies the gradient that passes it by ${figure(gain)} (median of the later half of ${blocks.length}): in front of the first block it is ${course} than behind the last`,
        ...blockPlace({ report }, first),
        evidence: { blocks: blocks.length, gain, "over all": total, limit: limits.depthGradient },
      },
    ];
  });
