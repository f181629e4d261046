/** An encoder that hides later positions, though all of its input is known at once. */
import type { Finding } from "../protocol/report.ts";
import { modelInputs } from "../stats/modelInputs.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { counted, type Evidence } from "./evidence.ts";

/** Known where a decoder of other tokens attends to what attention made of these. */
export function causalEncoder({ structure, report, program }: Evidence): Finding[] {
  const { nodes, attention } = structure;
  const tokens = modelInputs(program).filter(
    ({ value, shape }) => value.dtype === "int64" && shape.length === 2,
  );
  if (tokens.length !== 2 || report.attention.length !== attention.length) return [];
  const reached = tokens.map(({ value }) => idsMadeBy(dependents(nodes, value)));
  return [
    [0, 1],
    [1, 0],
  ].flatMap(([source = 0, target = 1]): Finding[] => {
    const isOf = (at: number, id: number | undefined): boolean =>
      id !== undefined && reached[at]?.has(id) === true;
    const crosses = attention.some(
      ({ operands: [query, key] }) =>
        isOf(target, query?.id) && isOf(source, key?.id) && !isOf(target, key?.id),
    );
    const own = report.attention.filter((_, at) => {
      const [query, key] = attention[at]?.operands ?? [];
      return isOf(source, query?.id) && isOf(source, key?.id) && !isOf(target, query?.id);
    });
    const [first] = own;
    const isCausal = own.every(({ sees }) => sees?.past && sees.self && !sees.future);
    if (!crosses || !first || !isCausal) return [];
    const name = tokens[source]?.name ?? "";
    return [
      {
        code: "attention/causal-encoder",
        severity: "warning",
        message: `Each position of '${name}' sees those before it alone (${counted(own.length, "layer")}), though the decoder reads all of them: an encoder has its whole input and needs no causal mask`,
        file: first.file,
        line: first.line,
        module: first.path,
        evidence: { layers: own.length, input: name },
      },
    ];
  });
}
