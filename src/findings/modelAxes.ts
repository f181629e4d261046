/** Which of an input's first two axes has the samples. */
import type { ModelSpread } from "../stats/modelSpread.ts";
import { tableAxis } from "../stats/tableAxis.ts";
import { alignmentOf } from "./alignment.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Known where targets are the tokens of the other axis, where the model's result has lost it, or
 * where something that differs along it and is the same for all samples is added. null: not known.
 */
export function batchAxisOf(evidence: Evidence, spread: ModelSpread): 0 | 1 | null {
  const { result } = spread;
  const [a, b] = spread.size;
  const alignment = alignmentOf(evidence);
  if (alignment?.spread === spread) return alignment.positions === 1 ? 0 : 1;
  const table = tableAxis(evidence.structure, a, b);
  if (table !== null) return table.axis === 1 ? 0 : 1;
  const isPooled = result !== null && result.shape.length === 2 && result.shape[1] !== b;
  return isPooled && spread.input.dtype === "int64" ? 0 : null;
}
