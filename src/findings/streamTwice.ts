/** Blocks that add their stream to itself, or once more to a norm of a sum that has it. */

import type { Node, Site, Value } from "../graph/graph.ts";
import { sameShape } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import type { Block } from "../stats/blocks.ts";
import { sumOf } from "../stats/residual.ts";
import type { Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const streamTwice = (evidence: Evidence): Finding[] =>
  oncePerLine(evidence.structure.blocks.flatMap((block) => ofBlock(evidence, block)));

function ofBlock({ structure }: Evidence, block: Block): Finding[] {
  const { nodes, residual, input, path } = block;
  const idOf = (value: Value): number => structure.sourceOf(value).value.id;
  const isWhole = ({ op, outputs: [out] }: Node): boolean =>
    op === "Add" && out !== undefined && sameShape(out.shape, input.shape);
  const streams = new Set([idOf(input)]);
  for (const add of residual.adds) {
    const sum = sumOf(nodes, add);
    streams.add(idOf(add.skip));
    if (sum) streams.add(idOf(sum));
  }
  const parts = new Map<number, readonly number[]>();
  for (const add of nodes.filter(isWhole)) {
    const own = add.inputs.flatMap((value) => (value ? [idOf(value)] : []));
    for (const out of add.outputs) parts.set(idOf(out), own);
  }
  /** Whether a value is a norm of a sum that has another one in it. */
  const isNormWith = (value: Value, part: Value): boolean => {
    const sum = structure.found.normOf(idOf(value));
    return sum !== null && streams.has(idOf(part)) && parts.get(sum)?.includes(idOf(part)) === true;
  };
  return nodes.filter(isWhole).flatMap(({ inputs: [a, b], outputs, origin }): Finding[] => {
    const site: Site | undefined = origin.call?.site;
    if (!a || !b || !site) return [];
    // B2T adds the block's input to a last sum, which a norm closes. (Takase et al. 2022, arXiv:2206.00330.)
    const isRead = outputs.some((sum) =>
      structure.producers.readersOf(sum).some(({ op }) => op !== "Add"),
    );
    const isNormed = isRead && (isNormWith(a, b) || isNormWith(b, a));
    if (!isNormed && !(streams.has(idOf(a)) && streams.has(idOf(b)))) return [];
    return [
      {
        code: "block/stream-twice",
        severity: "warning",
        message: isNormed
          ? `The stream of ${path} is added to a norm of a sum that has it already: x + norm(x + f(x)). norm(x + f(x)) is Post-LN, and x + norm(f(x)) normalises the branch`
          : `The stream of ${path} is added to itself: what came in is in the sum twice, so that it doubles with each block`,
        file: site.file,
        line: site.line,
        module: path,
        evidence: { block: path },
      },
    ];
  });
}
