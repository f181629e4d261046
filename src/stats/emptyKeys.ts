/** Keys that are 0 whatever the tokens are, and that no mask hides: slots of a cache that nothing wrote. */
import type { Node, TorchCall } from "../graph/graph.ts";
import type { FoundAttention } from "./foundAttention.ts";
import { pathTo } from "./madeUpOperands.ts";
import type { Normalised } from "./normalised.ts";
import { mixedRow, norm, type Operand, range, rowsOf } from "./operandRows.ts";
import { maskSight } from "./padding.ts";

export interface EmptyFault {
  readonly kind: "empty";
  /** Places among the keys. */
  readonly slots: readonly number[];
  readonly keys: number;
  /** How many queries give some of them weight. */
  readonly queries: number;
}

/** Leave every row what a linear map gave, of which none is 0. */
const movers = new Set(["Reshape", "Transpose", "Split", "Slice", "Squeeze", "Unsqueeze", "Add"]);

/** Where rows are 0 in all samples and heads, though not everywhere. */
function emptyPlaces(key: Operand): number[] {
  if (key.path.nodes.every(({ op }) => movers.has(op))) return [];
  const rows = rowsOf(key, mixedRow);
  if (!rows || rows.count === 0) return [];
  const empty = range(rows.positions).filter((place) =>
    range(rows.count).every((row) => norm(rows.at(row, place)) === 0),
  );
  return empty.length === rows.positions ? [] : empty;
}

/** Whether an attention's keys have slots that nothing wrote yet. */
export function hasEmptyKeys(
  { operands: [, key] }: FoundAttention,
  nodes: readonly Node[],
  makers: ReadonlyMap<number, Node>,
  found: Normalised,
): boolean {
  const path = key && pathTo(key, nodes, makers, found);
  if (!path) return false;
  const operand = { path, shape: key.shape, isTurned: true, tables: [], hasSums: false };
  return emptyPlaces(operand).length > 0;
}

export function ofEmptyKeys(
  { key }: { readonly key: Operand },
  attention: FoundAttention,
  nodes: readonly Node[],
  makers: ReadonlyMap<number, Node>,
): { fault: EmptyFault; call: TorchCall } | null {
  // nn.MultiheadAttention's own key of zeros is asked for by its argument.
  if (attention.call.op === "multi_head_attention_forward") return null;
  const empty = emptyPlaces(key);
  const seen = empty.length === 0 ? null : maskSight(attention, nodes, makers);
  if (!seen || seen.keys <= Math.max(...empty)) return null;
  const isShown = (query: number, slot: number): boolean => seen.isSeen(0, query, slot);
  const queries = range(seen.queries);
  const slots = empty.filter((slot) => queries.some((query) => isShown(query, slot)));
  if (slots.length === 0) return null;
  const count = queries.filter((query) => slots.some((slot) => isShown(query, slot))).length;
  const fault = { kind: "empty", slots, keys: seen.keys, queries: count } as const;
  return { fault, call: attention.call };
}
