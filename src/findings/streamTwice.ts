/** Blocks that add their stream to itself, or end with the stream as it was before a sum. */

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
  return nodes.filter(isWhole).flatMap(({ inputs: [a, b], origin }): Finding[] => {
    const site: Site | undefined = origin.call?.site;
    if (!a || !b || !site || !streams.has(idOf(a)) || !streams.has(idOf(b))) return [];
    return [
      {
        code: "block/stream-twice",
        severity: "warning",
        message: `The stream of ${path} is added to itself: what came in is in the sum twice, so that it doubles with each block`,
        file: site.file,
        line: site.line,
        module: path,
        evidence: { block: path },
      },
    ];
  });
}
