/** Two linear maps with nothing between that is not linear: together they are one. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence, readersOf } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/**
 * Only where the inner width exceeds both others: a narrow one makes a map of low rank, which is
 * meant, and one of equal width is how projections are put in front of stock attention.
 */
export function linearPair(evidence: Evidence): Finding[] {
  const { structure } = evidence;
  return oncePerLine(
    structure.nodes.flatMap((node): Finding[] => {
      const { call } = node.origin;
      const [input] = node.inputs;
      if (!call || !input || !isLinear(evidence, node)) return [];
      const first = linearBefore(evidence, input);
      const made = first?.origin.call;
      if (!first || !made || made.id === call.id) return [];
      const [start, inner, end] = [first.inputs[0], first.outputs[0], node.outputs[0]].map(
        (value) => value?.shape.at(-1) ?? 0,
      ) as [number, number, number];
      if (inner <= start || inner <= end) return [];
      return [
        {
          code: "units/no-activation",
          severity: "warning",
          message: `Nothing stands between two linear maps, ${start} → ${inner} (line ${made.site.line}) → ${end}: together they can do no more than one map ${start} → ${end}. An activation is missing`,
          ...callPlace(call),
          evidence: { from: start, inner, to: end, "first line": made.site.line },
        },
      ];
    }),
  );
}

const isLinear = ({ structure: { found } }: Evidence, { op, inputs: [a, b] }: Node): boolean =>
  (op === "MatMul" || op === "Gemm") && !!a && !!b && found.isWeight(b) && !found.isWeight(a);

/** Past biases; null: something else made it, or reads it too. */
function linearBefore(evidence: Evidence, start: Value): Node | null {
  const { producers, found } = evidence.structure;
  let value = start;
  for (let steps = 0; steps < 4; steps++) {
    const node = producers.makerOf(value);
    const readers = readersOf(evidence, node?.outputs[0] ?? value);
    const others = readers.filter(({ id }) => id !== node?.origin.call?.id);
    if (!node || others.length > 1) return null;
    if (isLinear(evidence, node)) return node;
    const next = node.inputs.find((input) => input !== null && !found.isWeight(input));
    const isBias = node.op === "Add" && node.inputs.some((one) => one && found.isWeight(one));
    if (!isBias || !next) return null;
    value = next;
  }
  return null;
}
