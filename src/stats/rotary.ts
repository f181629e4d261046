/** What positions do to the operands of an attention: measured on made-up rows that are the same at all of them. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { type EmptyFault, ofEmptyKeys } from "./emptyKeys.ts";
import type { FoundAttention } from "./foundAttention.ts";
import { type OperandPath, pathTo } from "./madeUpOperands.ts";
import type { Normalised } from "./normalised.ts";
import { ofNorms } from "./operandNorms.ts";
import {
  cosine,
  dot,
  isSame,
  mixedRow,
  norm,
  type Operand,
  type Rows,
  range,
  rowsOf,
} from "./operandRows.ts";
import { isTwice } from "./repeatedTables.ts";
import type { Structure } from "./structure.ts";
import { type RateFault, type RoundedFault, rateFault, roundedFault } from "./turnRates.ts";

export interface OperandFault {
  readonly attention: FoundAttention;
  readonly fault: Fault;
  /** Where it is done. */
  readonly call: TorchCall;
}

export type Fault =
  /** One of queries and keys is rotated by its position, and the other is not. */
  | { readonly kind: "one"; readonly turned: "queries" | "keys" }
  /** Values are rotated, beside both of these or in the place of one of them. */
  | { readonly kind: "values"; readonly beside: "both" | "queries" | "keys" }
  /** No rotation: what a query and a key of the same place give depends on the place. */
  | { readonly kind: "stretched"; readonly least: number; readonly most: number }
  /** A query, or a key, is rotated as keys of another place are. */
  | { readonly kind: "apart"; readonly query: number; readonly key: number }
  /** The rows of one table are multiplied twice. */
  | { readonly kind: "twice"; readonly of: "queries" | "keys" | "both" }
  /** Keys of a cache are rotated otherwise than new ones: what neighbours give differs. */
  | { readonly kind: "cache"; readonly cached: number }
  /** A norm of queries or keys takes what belongs to other positions, or to other heads. */
  | { readonly kind: "norm"; readonly of: "queries" | "keys"; readonly over: "positions" | "heads" }
  /** Keys that nothing wrote are looked at. */
  | EmptyFault
  /** One pair alone turns, or all turn alike. */
  | RateFault
  /** Positions above a number share their rotations. */
  | RoundedFault
  /** Rotations are the same at all positions. */
  | { readonly kind: "still"; readonly positions: number }
  /** Rotations follow heads and not positions. */
  | { readonly kind: "heads"; readonly heads: number }
  /** Heads get different positions at the same place. */
  | { readonly kind: "mixed"; readonly op: string }
  /** A head's keys and values come from different groups. */
  | {
      readonly kind: "groups";
      readonly keys: readonly number[];
      readonly values: readonly number[];
    };

const fewestPositions = 4;
const sites = 4;

/** At most one fault for each attention; one attention for each place in the source. */
export function findOperandFaults({
  nodes,
  attention,
  found,
  producers,
}: Structure): OperandFault[] {
  const { makers } = producers;
  const kinds = new Map<string, FoundAttention>();
  for (const one of attention) {
    const [query, key] = one.operands;
    const sizes = `${query?.shape.join()} ${key?.shape.join()}`;
    kinds.set(`${one.call.site.file}:${one.call.site.line} ${sizes}`, one);
  }
  return [...kinds.values()].slice(-sites).flatMap((one): OperandFault[] => {
    const parts = partsOf(one, nodes, makers, found);
    const made =
      parts &&
      (ofPositions(parts) ??
        ofNorms(parts, found) ??
        ofEmptyKeys(parts, one, nodes, makers) ??
        ofRotation(parts, makers) ??
        ofGroups(parts));
    return made ? [{ attention: one, ...made }] : [];
  });
}

interface Parts {
  readonly query: Operand;
  readonly key: Operand;
  readonly values: Operand;
  readonly headWidth: number;
}

function partsOf(
  { operands: [query, key, values], mixing, headWidth }: FoundAttention,
  nodes: readonly Node[],
  makers: ReadonlyMap<number, Node>,
  found: Normalised,
): Parts | null {
  const operand = (value: Value | undefined, isTurned: boolean): Operand | null => {
    const path = value && pathTo(value, nodes, makers, found);
    if (!path) return null;
    const [tables, sums] = [["Mul"], ["Add", "Sub"]].map((ops) => tablesOf(path, found, ops));
    const hasSums = sums !== undefined && sums.length > 0;
    return { path, shape: path.operand.shape, isTurned, tables: tables ?? [], hasSums };
  };
  const parts = [
    operand(query, false),
    operand(key, true),
    operand(values, mixing.inputs[1] !== values),
  ] as const;
  const [a, b, c] = parts;
  return a && b && c ? { query: a, key: b, values: c, headWidth } : null;
}

function tablesOf(
  { nodes, starts }: OperandPath,
  found: Normalised,
  ops: readonly string[],
): Node[] {
  const reached = new Set(starts.map(({ id }) => id));
  return nodes.filter(({ op, inputs, outputs }) => {
    const isMade = inputs.some((value) => value && reached.has(value.id));
    if (isMade) for (const { id } of outputs) reached.add(id);
    const table = inputs.find((value) => value && !reached.has(value.id));
    return isMade && ops.includes(op) && table && !found.isWeight(table) && numel(table.shape) > 1;
  });
}

type Made = Omit<OperandFault, "attention">;

function ofRotation(
  { query, key, values, headWidth }: Parts,
  makers: ReadonlyMap<number, Node>,
): Made | null {
  if (query.tables.length + key.tables.length + values.tables.length === 0) return null;
  const ofKey = motionOf(key);
  // Few queries behind a cache: how they turn is seen beside their own keys alone.
  if ((query.shape.at(-2) ?? 1) < fewestPositions)
    return ofKey === "turned" && isOfOneStream(query, key, makers)
      ? ofFewQueries(query, key, headWidth)
      : null;
  const ofQuery = motionOf(query);
  if (ofQuery === "other" || ofKey === "other") return null;
  const at = (operand: Operand): TorchCall | null => operand.tables[0]?.origin.call ?? null;
  const made = (fault: Fault, call: TorchCall | null): Made | null => call && { fault, call };
  const isOfValues = motionOf(values) === "turned";
  if (isOfValues && (ofQuery === "turned" || ofKey === "turned")) {
    const beside = ofQuery === ofKey ? "both" : ofQuery === "turned" ? "queries" : "keys";
    return made({ kind: "values", beside }, at(values));
  }
  if (ofQuery !== ofKey) {
    const turned = ofQuery === "turned" ? "queries" : "keys";
    return made({ kind: "one", turned }, at(turned === "queries" ? query : key));
  }
  if (ofQuery === "still") {
    const fault = stillFault(query, headWidth);
    return fault && made(fault, at(query));
  }
  const fault =
    twiceFault(query, key) ??
    rotationFault(query, key, headWidth) ??
    rateFault(key) ??
    roundedFault(key);
  return (
    fault &&
    made(fault, fault.kind === "twice" ? lastTable(fault.of === "keys" ? key : query) : at(key))
  );
}

/** Whether linear maps make queries and some of the keys of the same rows: other keys have other positions. */
function isOfOneStream(query: Operand, key: Operand, makers: ReadonlyMap<number, Node>): boolean {
  const readBy = ({ path }: Operand): (number | undefined)[] =>
    path.starts.map(({ id }) => unviewed(makers.get(id)?.inputs[0], makers)?.id);
  const own = readBy(key);
  return readBy(query).some((id) => id !== undefined && own.includes(id));
}

/** What a view shows. */
function unviewed(
  value: Value | null | undefined,
  makers: ReadonlyMap<number, Node>,
): Value | null | undefined {
  let at = value;
  for (
    let node = at && makers.get(at.id);
    node && views.has(node.op);
    node = at && makers.get(at.id)
  )
    at = node.inputs[0];
  return at;
}

const views: ReadonlySet<string> = new Set(["Reshape", "Squeeze", "Unsqueeze", "Identity"]);

/** A query turns by a place of the keys that is not its own, or keys in a cache otherwise than new ones. */
function ofFewQueries(query: Operand, key: Operand, headWidth: number): Made | null {
  const keys = rowsOf(key, mixedRow);
  const behind = keys ? keys.positions - (query.shape.at(-2) ?? 1) : 0;
  const call = key.tables[0]?.origin.call;
  const fault = keys && (apartFault(query, key, headWidth, behind) ?? cacheFault(keys, behind));
  return fault && call ? { fault, call } : null;
}

/** The same for all heads, and for queries and keys. */
const headRow = (width: number) => (column: number) => mixedRow(column % width);

/** What differs from position to position; "other": sums, scales, or not known. */
function motionOf(operand: Operand): "still" | "turned" | "other" {
  if (operand.tables.length === 0) return "still";
  const rows = rowsOf(operand, mixedRow);
  if (!rows || rows.positions < fewestPositions) return "other";
  if (operand.hasSums) {
    const nothing = rowsOf(operand, () => 0);
    if (!nothing || differs(nothing)) return "other";
  }
  if (!differs(rows)) return "still";
  return isScaledOnly(rows) ? "other" : "turned";
}

const differs = ({ count, positions, at }: Rows): boolean =>
  range(count).some((row) =>
    range(positions).some((position) => !isSame(at(row, position), at(row, 0))),
  );

const isScaledOnly = ({ count, positions, at }: Rows): boolean =>
  range(count).every((row) =>
    range(positions).every(
      (position) => Math.abs(cosine(at(row, position), at(row, 0))) > 1 - 1e-6,
    ),
  );

/** A table of sines and cosines that says nothing of positions. */
function stillFault(query: Operand, headWidth: number): Fault | null {
  const { shape, tables } = query;
  const [positions = 1, width = 1] = shape.slice(-2);
  const rows = rowsOf(query, headRow(headWidth));
  const heads = shape.length === 4 ? (shape[1] ?? 1) : 1;
  if (!rows || positions < fewestPositions) return null;
  if (range(heads).some((head) => !isSame(rows.at(head, 0), rows.at(0, 0))))
    return { kind: "heads", heads };
  const isTable = tables.some(({ inputs }) =>
    inputs.some((value) => {
      const [rows = 1, columns = 1] = value?.shape.slice(-2) ?? [];
      return value?.data && rows === positions && columns * 4 >= width && columns > 1;
    }),
  );
  return isTable ? { kind: "still", positions } : null;
}

function twiceFault(query: Operand, key: Operand): Fault | null {
  const [ofQuery, ofKey] = [isTwice(query), isTwice(key)];
  if (!ofQuery && !ofKey) return null;
  return { kind: "twice", of: ofQuery && ofKey ? "both" : ofQuery ? "queries" : "keys" };
}

const lastTable = (operand: Operand): TorchCall | null =>
  operand.tables.at(-1)?.origin.call ?? null;

const near = 1 - 1e-4;

function rotationFault(query: Operand, key: Operand, headWidth: number): Fault | null {
  const [q, k] = [rowsOf(query, mixedRow), rowsOf(key, mixedRow)];
  if (!q || !k || q.count % k.count !== 0) return null;
  const behind = k.positions - q.positions;
  if (behind < 0) return null;
  const apart = apartFault(query, key, headWidth, behind) ?? cacheFault(k, behind);
  if (apart) return apart;
  // What a query and its own key give, beside that at the first place: one number for all rows.
  const shared = q.count / k.count;
  const shares = range(q.positions).map((position) =>
    range(q.count).map((row) => {
      const [a, b] = [q.at(row, position), k.at(Math.floor(row / shared), position + behind)];
      const [c, d] = [q.at(row, 0), k.at(Math.floor(row / shared), behind)];
      return (dot(a, b) - dot(c, d)) / norm(c) / norm(d);
    }),
  );
  const all = shares.flat();
  const spread = Math.max(...all.map(Math.abs));
  const isAlike = shares.every((own) => Math.max(...own) - Math.min(...own) < 1e-3);
  if (spread < 1e-3 || (isAlike && q.count > 1)) return null;
  return { kind: "stretched", least: Math.min(...all), most: Math.max(...all) };
}

/** Behind a cache a query is to be rotated as its own key is, of which it is known where it stands. */
function apartFault(query: Operand, key: Operand, headWidth: number, behind: number): Fault | null {
  if (behind === 0) return null;
  const [q, k] = [query, key].map((one) => rowsOf(one, headRow(headWidth)));
  if (!q || !k) return null;
  const same = range(behind).find((one) => cosine(k.at(0, one), k.at(0, behind)) > near);
  if (same !== undefined) return { kind: "apart", query: behind, key: same };
  for (const place of range(q.positions)) {
    const own = place + behind;
    const other = range(k.positions).find(
      (position) => position !== own && cosine(q.at(0, place), k.at(0, position)) > near,
    );
    if (other !== undefined) return { kind: "apart", query: own, key: other };
  }
  return null;
}

/** What two neighbours give depends on their distance alone, in a cache and behind it. */
function cacheFault(keys: Rows, behind: number): Fault | null {
  if (behind < 2 || keys.positions < fewestPositions) return null;
  const size = norm(keys.at(0, 0)) ** 2;
  const pairs = range(keys.positions - 1).map((place) =>
    dot(keys.at(0, place), keys.at(0, place + 1)),
  );
  const isUneven = Math.max(...pairs) - Math.min(...pairs) > 1e-3 * size;
  // Where neighbours within the cache differ as well, it is another kind of rotation.
  const own = pairs.slice(0, behind - 1);
  const isEven = Math.max(...own) - Math.min(...own) < 1e-3 * size;
  return isUneven && isEven ? { kind: "cache", cached: behind } : null;
}

const repeats = new Set(["Expand", "Tile", "Gather", "Concat"]);

/** Groups that are repeated along the positions: what the first head gets at a place, all others must get. */
function ofPositions({ key, values }: Parts): Made | null {
  for (const operand of [key, values]) {
    const node = operand.path.nodes.findLast(({ op }) => op !== "Concat" && repeats.has(op));
    const call = node?.origin.call;
    const [samples = 1, heads = 1] = operand.shape;
    if (!call || operand.shape.length !== 4 || heads < 2) continue;
    const rows = rowsOf(operand, (_, row) => row + 1);
    if (!rows) continue;
    const isMixed = range(samples).some((sample) =>
      range(heads).some((head) =>
        range(rows.positions).some((position) => {
          const first = norm(rows.at(sample * heads, position));
          return Math.abs(norm(rows.at(sample * heads + head, position)) / first - 1) > 1e-3;
        }),
      ),
    );
    if (isMixed) return { fault: { kind: "mixed", op: call.op }, call };
  }
  return null;
}

/** From which group each head takes its keys and values, both counted from 0 in the order of the maps. */
function ofGroups({ key, values, headWidth }: Parts): Made | null {
  const repeating = [key, values].map(({ path }) =>
    path.nodes.findLast(({ op }) => repeats.has(op)),
  );
  if (!repeating.some((node) => node)) return null;
  // Behind a norm, sizes of rows do not tell where they come from.
  const isNorm = ({ op }: Node): boolean => /^Reduce|Normalization$/.test(op);
  if ([key, values].some(({ path }) => path.nodes.some(isNorm))) return null;
  const block = (column: number): number => Math.floor(column / headWidth) + 1;
  const [ofKeys, ofValues] = [key, values].map((operand) => {
    const rows = rowsOf(operand, block);
    return rows && rankedGroups(rows);
  });
  if (!ofKeys || !ofValues || ofKeys.length !== ofValues.length) return null;
  const groups = new Set(ofKeys).size;
  if (groups !== new Set(ofValues).size || groups < 2 || groups === ofKeys.length) return null;
  if (ofKeys.join() === ofValues.join()) return null;
  // Heads that follow one another usually share a group: the other order is the mistake.
  const [, heads = 1] = key.shape.length === 4 ? key.shape : [];
  const isUsual = ofKeys.slice(0, heads).every((group, head) => group >= (ofKeys[head - 1] ?? 0));
  const call = (isUsual ? repeating[1] : repeating[0])?.origin.call;
  return call ? { fault: { kind: "groups", keys: ofKeys, values: ofValues }, call } : null;
}

/** Of the first sample. */
function rankedGroups({ count, positions, at }: Rows): number[] | null {
  const sizes = range(count).map((row) => Math.round(100 * norm(at(row, positions - 1))));
  const order = [...new Set(sizes)].sort((a, b) => a - b);
  return sizes.map((size) => order.indexOf(size));
}
