/** Which call of the key's linear map wrote each key of an attention: what a cache holds, and in which order. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import type { FoundAttention } from "./foundAttention.ts";
import { pathTo } from "./madeUpOperands.ts";
import { mixedRow, norm, type Operand, range, rowsOf } from "./operandRows.ts";
import type { Structure } from "./structure.ts";

/** What one call of a linear map gave to an operand. */
export interface CachedPart {
  /** What the map gave. */
  readonly made: Value;
  /** The weight of the map, by which maps are told apart. */
  readonly weight: number;
  /** Places among the keys. */
  readonly places: readonly number[];
}

/** An attention over keys of its own and, where there are more parts, of calls before it. */
export interface CachedAttention {
  readonly attention: FoundAttention;
  /** In the order in which they were made; the last is the queries' own. */
  readonly keys: readonly CachedPart[];
  readonly values: readonly CachedPart[];
  readonly own: CachedPart;
  /** What put the first key of others beside its own; null: all are its own. */
  readonly join: { readonly op: string; readonly call: TorchCall } | null;
}

/** More parts are not looked at: what is wrong with a cache is wrong from the first on. */
const mostParts = 4;

/** Self-attention by the weights that make its keys, each in the order of execution. */
export function findCached(structure: Structure): ReadonlyMap<number, readonly CachedAttention[]> {
  const groups = new Map<number, CachedAttention[]>();
  for (const attention of structure.attention) {
    const cached = cachedIn(attention, structure);
    if (!cached) continue;
    const group = groups.get(cached.own.weight);
    if (group) group.push(cached);
    else groups.set(cached.own.weight, [cached]);
  }
  return groups;
}

/** null: not self-attention, or not known. */
function cachedIn(attention: FoundAttention, structure: Structure): CachedAttention | null {
  const [query, key, values] = attention.operands;
  if (!query || !key || !values || attention.softmaxOver !== "keys") return null;
  const { nodes, producers, found } = structure;
  const [ofQuery, ofKey, ofValues] = [query, key, values].map((value) =>
    pathTo(value, nodes, producers.makers, found),
  );
  if (!ofQuery || !ofKey || !ofValues || ofQuery.starts.length > 1) return null;
  if (Math.max(ofKey.starts.length, ofValues.starts.length) > mostParts) return null;
  const isTurned = attention.mixing.inputs[1] !== values;
  const keys = partsOf({ path: ofKey, shape: key.shape, isTurned: true }, structure);
  const parts = partsOf({ path: ofValues, shape: values.shape, isTurned }, structure);
  const own = keys?.at(-1);
  const [asked] = ofQuery.starts;
  if (!keys || !parts || !own || !asked) return null;
  const readBy = (value: Value): number | null => inputOf(value, structure);
  if (readBy(asked) !== readBy(own.made)) return null;
  return { attention, keys, values: parts, own, join: joinOf(ofKey.nodes, ofKey.starts) };
}

/** What a linear map was given. */
function inputOf(made: Value, { producers, sourceOf }: Structure): number | null {
  const input = producers.makers.get(made.id)?.inputs[0];
  return input ? sourceOf(input).value.id : null;
}

type Given = Pick<Operand, "path" | "shape" | "isTurned">;

/** null: the numbers of some part do not tell where it stands. */
function partsOf(given: Given, structure: Structure): CachedPart[] | null {
  const { producers } = structure;
  const order = (value: Value): number => {
    const node = producers.makers.get(value.id);
    return node ? producers.indexOf(node) : -1;
  };
  const starts = given.path.starts.toSorted((a, b) => order(a) - order(b));
  const parts = starts.flatMap((made): CachedPart[] => {
    const weight = producers.makers.get(made.id)?.inputs[1];
    const places = starts.length === 1 ? allPlaces(given) : placesOf(given, made);
    if (!weight || !places) return [];
    return [{ made, weight: structure.sourceOf(weight).value.id, places }];
  });
  return parts.length === starts.length ? parts : null;
}

const allPlaces = ({ shape, isTurned }: Given): number[] =>
  range(shape.at(isTurned ? -1 : -2) ?? 1);

/** Where rows are other than 0 if this map alone gives something. */
function placesOf(given: Given, made: Value): number[] | null {
  const operand = { ...given, tables: [], hasSums: false };
  const rows = rowsOf(operand, (column, _, map) => (map.id === made.id ? mixedRow(column) : 0));
  if (!rows) return null;
  return range(rows.positions).filter((place) =>
    range(rows.count).some((row) => norm(rows.at(row, place)) > 0),
  );
}

/** The first node that gets what different maps gave. */
function joinOf(
  nodes: readonly Node[],
  starts: readonly Value[],
): { op: string; call: TorchCall } | null {
  const reached = new Map(starts.map(({ id }) => [id, new Set([id])]));
  let last: { op: string; call: TorchCall } | null = null;
  for (const { op, inputs, outputs, origin } of nodes) {
    const given = inputs.flatMap((value) => (value && reached.get(value.id)) ?? []);
    const all = new Set(given.flatMap((ids) => [...ids]));
    if (all.size === 0) continue;
    for (const { id } of outputs) reached.set(id, all);
    const isJoin = given.some((ids) => ids.size < all.size);
    if (isJoin && origin.call) last = { op, call: origin.call };
  }
  return last;
}
