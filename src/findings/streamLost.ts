/** Blocks with attention that make a residual sum and then lose it. */

import type { Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import type { Block } from "../stats/blocks.ts";
import { sumOf } from "../stats/residual.ts";
import type { Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export function streamLost(evidence: Evidence): Finding[] {
  const { structure } = evidence;
  const withAttention = structure.blocks.filter(({ nodes, residual }) => {
    const calls = new Set(nodes.map(({ origin }) => origin.call?.id));
    return residual.end === "other" && structure.attention.some(({ call }) => calls.has(call.id));
  });
  return oncePerLine(
    withAttention.flatMap((block) => [
      ...unread(evidence, block),
      ...replaced(evidence, block),
      ...older(evidence, block),
    ]),
  );
}

/** The sum of stream and branch that nothing reads. */
function unread({ structure }: Evidence, { residual, nodes, output, path }: Block): Finding[] {
  return residual.adds.flatMap((add): Finding[] => {
    const { site } = add;
    const out = sumOf(nodes, add);
    if (!out || !site || out.id === output.id || structure.producers.readersOf(out).length > 0)
      return [];
    return [
      {
        code: "block/lost-sum",
        severity: "warning",
        message: `What is added to the stream here is lost: nothing reads the sum, and ${path} goes on with the stream as it was before`,
        file: site.file,
        line: site.line,
        module: path,
        evidence: { block: path },
      },
    ];
  });
}

/** A last sum with the stream as it came in, whose branch alone has what was added before. */
function older(
  { structure }: Evidence,
  { input, output, path, residual, nodes }: Block,
): Finding[] {
  const { found, producers } = structure;
  const idOf = (value: Value): number => structure.sourceOf(value).value.id;
  // Post-LN: the sum is what the last norm is of.
  const sum = found.normOf(idOf(output));
  const last =
    sum === null
      ? producers.makerOf(output)
      : nodes.find(({ outputs }) => outputs.some((value) => idOf(value) === sum));
  const isOlder = last?.inputs.some((value) => value && idOf(value) === idOf(input));
  // What is added in other places too has positions, and is no stream of this block.
  const own = new Set(nodes);
  if (producers.readersOf(input).some((node) => node.op === "Add" && !own.has(node))) return [];
  const [add] = residual.adds;
  const site = last?.origin.call?.site;
  if (last?.op !== "Add" || !isOlder || !add?.site || !site) return [];
  return [
    {
      code: "block/lost-sum",
      severity: "warning",
      message: `${path} ends with the stream as it came in: what line ${add.site.line} added to it goes into the branch and is not in this sum`,
      file: site.file,
      line: site.line,
      module: path,
      evidence: { block: path },
    },
  ];
}

/** A linear map whose result leaves the block in place of the stream. */
function replaced({ structure }: Evidence, { output, path, residual }: Block): Finding[] {
  const { producers, found } = structure;
  const last = producers.makerOf(output);
  const biased = last?.inputs.find((value) => value !== null && !found.isWeight(value));
  const isBias = last?.op === "Add" && last.inputs.some((value) => value && found.isWeight(value));
  const product = isBias && biased ? producers.makerOf(biased) : last;
  const weight = product?.inputs[1];
  const isLinear = product?.op === "MatMul" || product?.op === "Gemm";
  const call = product?.origin.call;
  if (!isLinear || !weight || !found.isWeight(weight) || !call) return [];
  return [
    {
      code: "block/stream-replaced",
      severity: "warning",
      message: `${path} adds to its stream ${residual.adds.length === 1 ? "once" : `${residual.adds.length} times`}, and then gives out what this map makes without adding it: the stream ends here, and gradients must pass the map`,
      file: call.site.file,
      line: call.site.line,
      module: path,
      evidence: { block: path, sums: residual.adds.length },
    },
  ];
}
