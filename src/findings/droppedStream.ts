/** Dropout of a residual stream, in place of the branch that is added to it. */

import type { TorchCall, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import type { Block } from "../stats/blocks.ts";
import { dependents } from "../stats/rerun.ts";
import { sumOf } from "../stats/residual.ts";
import type { Structure } from "../stats/structure.ts";
import type { TracedDropout } from "../trace/program.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const droppedStream = (evidence: Evidence): Finding[] =>
  oncePerLine(
    evidence.program.dropouts.flatMap((dropout): Finding[] => {
      const { call, p } = dropout;
      const block = p === 0 ? null : streamOf(evidence, dropout);
      if (!block) return [];
      return [
        {
          code: "block/dropped-stream",
          severity: "warning",
          message: `Dropout takes the stream of ${block.path} with what was added to it, not the branch alone: in training each number of the stream is 0 with probability ${figure(p)} here, and after n such places ${figure(1 - p)}ⁿ of what came in is left`,
          ...callPlace(call),
          evidence: { p, block: block.path },
        },
      ];
    }),
  );

/** The block whose stream a dropout takes; null: it takes something else, or that is not known. */
function streamOf({ structure }: Evidence, { call, input }: TracedDropout): Block | null {
  const { found, blocks, nodes } = structure;
  const id = found.idOf(input);
  const isSum = (block: Block) => sumsOf(structure, block).has(found.normOf(id) ?? id);
  const mask = nodes.find(({ op, origin }) => op === "Mul" && origin.call?.id === call.id);
  const [out] = mask?.outputs ?? [];
  if (out) return blocks.find((one) => isSum(one) && isStream(structure, one, out)) ?? null;
  // Where it is not active, its result is its input: only the last call of a block gives the stream out.
  return (
    blocks.find((one) => {
      const isWithin = call.module === one.path || call.module?.startsWith(`${one.path}.`);
      return (
        isWithin && isSum(one) && found.idOf(one.output) === id && isBehind(structure, one, call)
      );
    }) ?? null
  );
}

/** Whether a call follows all calls of a block that made something, and no other block's. */
function isBehind({ blocks }: Structure, block: Block, { id }: TorchCall): boolean {
  const idsOf = ({ nodes }: Block) => nodes.flatMap(({ origin }) => origin.call?.id ?? []);
  const others = blocks.filter((one) => one !== block).flatMap(idsOf);
  const last = Math.max(...idsOf(block));
  return id > last && !others.some((other) => other > last && other < id);
}

/** What the sums of stream and branch give. */
function sumsOf({ found }: Structure, { residual, nodes }: Block): ReadonlySet<number> {
  const sums = residual.adds.map((add) => sumOf(nodes, add));
  return new Set(sums.filter((sum) => sum !== null).map(found.idOf));
}

/** Whether a value leaves the block, or something that is made of it is added to it. */
function isStream({ found }: Structure, { output, nodes }: Block, value: Value): boolean {
  const id = found.idOf(value);
  if (found.idOf(output) === id || found.normOf(found.idOf(output)) === id) return true;
  const made = new Set(
    dependents(nodes, value).flatMap(({ outputs }) => outputs.map((out) => found.idOf(out))),
  );
  return nodes.some(({ op, inputs: [a, b] }) => {
    if (op !== "Add" || !a || !b) return false;
    const [first, second] = [found.idOf(a), found.idOf(b)];
    return (first === id && made.has(second)) || (second === id && made.has(first));
  });
}
