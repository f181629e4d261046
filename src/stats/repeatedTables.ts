/** Tables that are multiplied twice on one way to an operand of attention. */
import type { Value } from "../graph/graph.ts";
import type { Operand } from "./operandRows.ts";
import { tableKey } from "./tableKey.ts";

/** Whether rows were multiplied by a table that they had been multiplied by before. */
export function isTwice({ path, tables }: Operand): boolean {
  const ofTables = new Set(tables);
  const reached = new Set(path.starts.map(({ id }) => id));
  const counts = new Map<number, ReadonlyMap<string, number>>();
  for (const node of path.nodes) {
    const made = node.inputs.filter((value): value is Value => !!value && reached.has(value.id));
    if (made.length === 0) continue;
    const most = new Map<string, number>();
    for (const value of made)
      for (const [key, count] of counts.get(value.id) ?? [])
        most.set(key, Math.max(most.get(key) ?? 0, count));
    const table = node.inputs.find((value) => value && !reached.has(value.id));
    if (ofTables.has(node) && table) {
      const key = tableKey(table);
      most.set(key, (most.get(key) ?? 0) + 1);
    }
    for (const { id } of node.outputs) {
      reached.add(id);
      counts.set(id, most);
    }
  }
  return [...(counts.get(path.operand.id)?.values() ?? [])].some((count) => count > 1);
}
