/** Post-LN blocks that multiply their stream before they add, as DeepNorm does, by another number than it takes. */
import type { Finding } from "../protocol/report.ts";
import type { Block } from "../stats/blocks.ts";
import { stackOf } from "../stats/stackOf.ts";
import { constantFactor } from "./branchFactors.ts";
import { type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** How far a factor may be from the one that depth gives, and is still that one. */
const tolerance = 0.02;
/** No factor of this size is a DeepNorm's. */
const largest = 20;

/** One stack alone: with an encoder and a decoder, other powers count. (Wang et al. 2022, arXiv:2203.00555, figure 2.) */
export function deepNorm(evidence: Evidence): Finding[] {
  const { blocks } = evidence.structure;
  const [first] = blocks;
  if (!first || blocks.length < 2 || !blocks.every((one) => stackOf(one) === stackOf(first)))
    return [];
  if (blocks.some(({ residual }) => residual.end !== "normed" || residual.adds.length !== 2))
    return [];
  const wanted = (2 * blocks.length) ** 0.25;
  return oncePerLine(blocks.flatMap((block) => ofBlock(evidence, block, wanted)));
}

function ofBlock(evidence: Evidence, { residual, path }: Block, wanted: number): Finding[] {
  const { length } = evidence.structure.blocks;
  return residual.adds.flatMap(({ skip, branch, site }): Finding[] => {
    const [own, other] = [constantFactor(evidence, skip), constantFactor(evidence, branch)];
    const isTurned = own.node === null && isNear(other.factor, wanted);
    const isOther = own.factor > 1 + tolerance && own.factor < largest && other.node === null;
    const place = (isTurned ? other : own).node?.origin.call?.site ?? site;
    if (!place || !(isTurned || (isOther && !isNear(own.factor, wanted)))) return [];
    const takes = `(2 · ${length})^¼ = ${figure(wanted)}`;
    return [
      {
        code: "block/deepnorm",
        severity: "warning",
        message: isTurned
          ? `The branch is multiplied by ${figure(other.factor)} and the stream is not: DeepNorm multiplies the stream by ${takes}, so that it outweighs the branch`
          : `The stream is multiplied by ${figure(own.factor)} in front of the sum and its norm: DeepNorm takes ${takes} for ${length} layers of one stack`,
        file: place.file,
        line: place.line,
        module: path,
        evidence: {
          factor: isTurned ? other.factor : own.factor,
          layers: length,
          "DeepNorm's": wanted,
        },
      },
    ];
  });
}

const isNear = (a: number, b: number): boolean => Math.abs(a / b - 1) < tolerance;
