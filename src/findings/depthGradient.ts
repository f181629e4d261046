/** Gradients that each block multiplies by the same factor, so that depth makes them vanish or explode. */
import type { Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { median, stacksOf } from "./stacks.ts";

const fewestBlocks = 4;

/** By the median of the gains: a first block behind a small embedding multiplies by much, once. */
export const depthGradient = ({ report, limits }: Evidence): Finding[] =>
  stacksOf(report.blocks).flatMap((blocks): Finding[] => {
    const gains = blocks.map(({ backwardGain }) => Number(backwardGain ?? Number.NaN));
    const known = gains.filter((gain) => gain > 0 && Number.isFinite(gain));
    if (known.length < fewestBlocks || known.length < blocks.length - 1) return [];
    const gain = median(known);
    const total = gain ** blocks.length;
    const isLost = total < 1 / limits.depthGradient;
    if (!isLost && total < limits.depthGradient) return [];
    const [first] = blocks;
    const add = first?.lines?.find(({ what }) => what === "add");
    const course = isLost ? `${figure(1 / total)} times smaller` : `${figure(total)} times larger`;
    return [
      {
        code: isLost ? "depth/vanishing" : "depth/exploding",
        severity: "warning",
        message: `A block multiplies the gradient that passes it by ${figure(gain)} (median of ${blocks.length}): at the first block it is ${course} than at the last`,
        file: add?.file ?? null,
        line: add?.line ?? null,
        module: first?.path ?? null,
        evidence: { blocks: blocks.length, gain, "over all": total, limit: limits.depthGradient },
      },
    ];
  });
