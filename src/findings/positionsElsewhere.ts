/** Positions that are added along one axis of the tokens, while attention runs along the other. */
import type { Finding } from "../protocol/report.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { tableAxis } from "../stats/tableAxis.ts";
import type { Evidence } from "./evidence.ts";

export const positionsElsewhere = (evidence: Evidence): Finding[] =>
  evidence.modelSpreads
    .filter(({ input }) => input.dtype === "int64")
    .flatMap((spread) => ofInput(evidence, spread));

function ofInput(evidence: Evidence, spread: ModelSpread): Finding[] {
  const { structure } = evidence;
  const table = tableAxis(evidence.structure, ...spread.size);
  const reached = idsMadeBy(dependents(structure.nodes, spread.input.value));
  const attention = structure.attention.find(
    ({ operands, softmaxOver }) =>
      softmaxOver === "keys" && operands[1] && reached.has(operands[1].id),
  );
  if (table === null || !attention) return [];
  const along = spread.size.indexOf(attention.softmaxSize);
  if (along === -1 || along === table.axis) return [];
  const { site, module } = table.call ?? attention.call;
  const [own, other] = [spread.size[table.axis], spread.size[along]];
  return [
    {
      code: "model/positions-elsewhere",
      severity: "error",
      message: `Positions are added along axis ${table.axis} of ${own}, and attention (line ${attention.call.site.line}) runs along axis ${along} of ${other}: one of both takes samples for positions. Tables of shape [length, 1, width] are meant for [positions, batch, width], and batch_first=True for [batch, positions, width]`,
      file: site.file,
      line: site.line,
      module,
      evidence: { "table axis": table.axis, "attention axis": along },
    },
  ];
}
