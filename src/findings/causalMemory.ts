/** Attention to an encoder's memory that hides what stands behind the query's own place. */
import type { Finding } from "../protocol/report.ts";
import { modelInputs } from "../stats/modelInputs.ts";
import { idsMadeBy, neededFor } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { counted, type Evidence } from "./evidence.ts";

/** Known where each place of the memory has seen all others: hiding some of them hides nothing. */
export function causalMemory({ structure, report, program }: Evidence): Finding[] {
  const { nodes, attention } = structure;
  const inputs = modelInputs(program);
  if (inputs.length !== 2 || report.attention.length !== attention.length) return [];
  const reached = inputs.map(({ value }) => idsMadeBy(dependents(nodes, value)));
  const isOf = (at: number, id: number): boolean => reached[at]?.has(id) === true;
  const crosses = attention.flatMap(({ operands: [query, key] }, at) => {
    const own = report.attention[at];
    const [source, target] = key && isOf(0, key.id) ? [0, 1] : [1, 0];
    const isCross =
      query && key && isOf(target, query.id) && isOf(source, key.id) && !isOf(target, key.id);
    const isCausal = own?.sees?.past && own.sees.self && !own.sees.future;
    if (!isCross || !isCausal || !own) return [];
    const needed = neededFor(nodes, key);
    const isOpen = attention.some(
      ({ mixing: { outputs } }, other) =>
        report.attention[other]?.sees?.future === true &&
        report.attention[other]?.sees?.past === true &&
        outputs.some(({ id }) => needed.has(id)),
    );
    return isOpen ? [own] : [];
  });
  const [first] = crosses;
  if (!first) return [];
  return [
    {
      code: "attention/causal-memory",
      severity: "warning",
      message: `Position t of the decoder attends to places 0 to t of the memory alone (${counted(crosses.length, "layer")}), though each of them has seen the whole source: the mask is that of self-attention, and takes the rest of the memory away`,
      file: first.file,
      line: first.line,
      module: first.path,
      evidence: { layers: crosses.length },
    },
  ];
}
