/** A norm of what a norm has just made, and nothing else reads. */
import type { Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { type Evidence, readersOf } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/**
 * A closing norm behind a Post-LN stack is PyTorch's own habit (nn.Transformer) and is left out, and
 * so is a norm of queries or keys.
 */
export function normTwice(evidence: Evidence): Finding[] {
  const { structure } = evidence;
  const { norms, found, blocks } = structure;
  const makers = new Map(norms.map((norm) => [found.idOf(norm.output), norm]));
  const ends = new Set(blocks.map(({ output }) => found.idOf(output)));
  return oncePerLine(
    norms.flatMap((norm): Finding[] => {
      const of = found.normOf(found.idOf(norm.input));
      if (of === null || ends.has(found.idOf(norm.input))) return [];
      const first =
        makers.get(found.idOf(norm.input)) ??
        norms.find((one) => one !== norm && found.idOf(one.input) === of);
      if (!first || first.axes !== norm.axes) return [];
      if (isEndOfPostNorm(evidence, first.input, first.call.id)) return [];
      const readers = readersOf(evidence, norm.input).filter(({ id }) => id !== norm.call.id);
      if (readers.length > 0) return [];
      const { file, line } = norm.call.site;
      return [
        {
          code: "norm/twice",
          severity: "information",
          message: `A ${norm.kind} of what a ${first.kind} (line ${first.call.site.line}) made, which nothing else reads: the first has no effect but by its gain and bias`,
          file,
          line,
          module: norm.call.module,
          evidence: { first: `line ${first.call.site.line}`, second: `line ${line}` },
        },
      ];
    }),
  );
}

/** Whether a norm's input is a sum of two made values that nothing but the norm reads: the end of a Post-LN layer. */
function isEndOfPostNorm(evidence: Evidence, input: Value, norm: number): boolean {
  const { producers, found } = evidence.structure;
  const sum = producers.makerOf(input);
  if (sum?.op !== "Add" || sum.inputs.some((one) => one === null || found.isWeight(one)))
    return false;
  const [made = input] = sum.outputs;
  return readersOf(evidence, made).every(({ id }) => id === norm);
}
