/** Learned slots (latents, queries of a decoder) that start alike, and that nothing tells apart. */
import type { Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { idsMadeBy, neededFor } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import type { Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

const fewestSlots = 2;

/**
 * Rows of one number throughout, that become queries with no table of their own and are summed up in
 * the end: all of them attend alike, give alike, and get the same gradient, at every step. What the
 * model returns slot by slot may be compared with targets that differ, and is left out.
 */
export function equalSlots(evidence: Evidence): Finding[] {
  const { program, report, structure } = evidence;
  const { nodes, attention } = structure;
  const root = program.modules.find(({ path }) => path === "");
  const returned = (root?.calls.at(-1)?.outputs ?? []).map(({ value }) => value);
  return program.parameters.flatMap(({ name, shape, value, requiresGrad }, at): Finding[] => {
    const slots = shape.at(-2) ?? 1;
    const own = report.parameters[at]?.value;
    const isAlike = own !== undefined && fromNum(own.min) === fromNum(own.max);
    if (!value || !requiresGrad || shape.length < 2 || slots < fewestSlots || !isAlike) return [];
    if (shape.slice(0, -2).some((size) => size > 1)) return [];
    const reached = idsMadeBy(dependents(nodes, value));
    const asking = attention.filter(
      ({ operands: [query], logits }) =>
        query && reached.has(query.id) && logits.shape.at(-2) === slots,
    );
    const [first] = asking;
    const query = first?.operands[0];
    if (!query || [value, ...returned].slice(1).some((one) => one.shape.slice(1).includes(slots)))
      return [];
    const isToldApart =
      asking.some(({ treatments }) =>
        treatments.some(({ node }) => node.op !== "Mul" && node.op !== "Div"),
      ) ||
      tellsApart(evidence, value, slots, reached) ||
      program.inputs.some((input) => neededFor(nodes, query).has(input.value.id));
    if (isToldApart) return [];
    return [
      {
        code: "init/constant",
        severity: "warning",
        message: `All ${slots} rows of ${name} start as ${own.max}, and nothing tells one from another: they attend to the same, give the same and get the same gradient, so that they stay one. Start them at random`,
        ...parameterPlace(evidence, name),
        module: null,
        evidence: { parameter: name, rows: slots },
      },
    ];
  });
}

/** Whether something else with a row for each slot, or with an axis of samples and slots, meets the slots. */
function tellsApart(
  { structure: { nodes, found } }: Evidence,
  own: Value,
  slots: number,
  reached: ReadonlySet<number>,
): boolean {
  return nodes.some(({ op, inputs }) => {
    const isMet = inputs.some((one) => one && (one.id === own.id || reached.has(one.id)));
    if (!isMet || op === "MatMul" || op === "Gemm") return false;
    return inputs.some(
      (one) =>
        one &&
        one.id !== own.id &&
        !reached.has(one.id) &&
        one.shape.length >= 2 &&
        one.shape.at(-2) === slots &&
        !(one.role === "parameter" && found.isWeight(one) && one.shape.length < 2),
    );
  });
}
