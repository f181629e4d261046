/** Norms of queries and keys that take numbers of other positions or of other heads. */
import type { TorchCall } from "../graph/graph.ts";
import type { Normalised } from "./normalised.ts";
import { isSame, mixedRow, type Operand, range, rowsOf } from "./operandRows.ts";

export interface NormFault {
  readonly kind: "norm";
  readonly of: "queries" | "keys";
  readonly over: "positions" | "heads";
}

const fewestPositions = 4;
/** These take neighbours on purpose. */
const shifting = new Set(["Pad", "CumSum"]);

export function ofNorms(
  { query, key }: { readonly query: Operand; readonly key: Operand },
  found: Normalised,
): { fault: NormFault; call: TorchCall } | null {
  for (const [of, operand] of [
    ["queries", query],
    ["keys", key],
  ] as const) {
    const norm = operand.path.nodes.find(({ outputs }) =>
      outputs.some((value) => found.normOf(found.idOf(value)) !== null),
    );
    const call = norm?.origin.call;
    if (!call || operand.path.nodes.some(({ op }) => shifting.has(op))) continue;
    const over = overWhat(operand);
    if (over) return { fault: { kind: "norm", of, over }, call };
  }
  return null;
}

/** Numbers of the first position of the first sample are changed: all of them, and the first alone. */
function overWhat(operand: Operand): NormFault["over"] | null {
  const before = rowsOf(operand, mixedRow);
  const larger = rowsOf(operand, (column, row) => (row === 0 ? 3 : 1) * mixedRow(column));
  if (!before || !larger || before.positions < fewestPositions) return null;
  const others = range(before.positions).slice(1);
  if (others.every((place) => !isSame(before.at(0, place), larger.at(0, place))))
    return "positions";
  const one = rowsOf(operand, (column, row) => mixedRow(column) + (row + column === 0 ? 2 : 0));
  const [, heads = 1] = operand.shape.length === 4 ? operand.shape : [];
  if (!one || heads < 2) return null;
  const changed = (head: number): number =>
    before.at(head, 0).filter((x, i) => Math.abs(x - (one.at(head, 0)[i] ?? 0)) > 1e-4).length;
  // A norm over all heads changes all that it takes; a rotation takes two columns together.
  const isNarrow = before.at(0, 0).length > 2 && changed(0) > 0 && changed(0) <= 2;
  const reaches = range(heads).some((head) => head > 0 && changed(head) > 0);
  return isNarrow && reaches ? "heads" : null;
}
