/** Positions that begin again behind a cache: rows of a table that the cached tokens have already. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import type { CachedAttention } from "../stats/cachedKeys.ts";
import { numbersFrom } from "../stats/hostNumbers.ts";
import type { Structure } from "../stats/structure.ts";
import type { Evidence } from "./evidence.ts";

/** Rotary positions are attention/rotary. */
export function restart({ structure }: Evidence, first: CachedAttention, second: CachedAttention) {
  const isBehind = second.keys.some(({ made }) => made.id === first.own.made.id);
  if (!isBehind || second.keys.length < 2) return null;
  const [before, own] = [first, second].map(({ own: { made } }) => rowsAdded(structure, made));
  for (const table of own ?? []) {
    const cached = before?.find(({ key }) => key === table.key);
    if (!cached || new Set(cached.rows).size < Math.max(cached.rows.length, 2)) continue;
    if (!table.rows.every((row, at) => row === cached.rows[at])) continue;
    const places = table.rows.length;
    const start = second.keys.length > 1 ? Math.min(...second.own.places) : 0;
    return {
      message: `Positions begin again behind the cache: ${places === 1 ? "the token at" : `the ${places} tokens from`} position ${start} ${places === 1 ? "gets" : "on get"} the row${places === 1 ? "" : "s"} of the table that the first ${places === 1 ? "one of the cache has" : `${places} of the cache have`}. They go on where the cache ends`,
      call: table.call,
      evidence: { cached: start, "new positions": places },
    } as const;
  }
  return null;
}

interface Added {
  readonly call: TorchCall;
  /** The table, where rows are told by their number; "numbers" where by what is in them. */
  readonly key: string;
  readonly rows: readonly string[];
}

const stops = new Set(["Softmax", "MatMul", "Gemm"]);

/** Tables whose rows were added to what a linear map reads, in front of all attention. */
function rowsAdded(structure: Structure, made: Value): Added[] {
  const { producers } = structure;
  const start = producers.makers.get(made.id)?.inputs[0];
  const open = start ? [start] : [];
  const seen = new Set<number>();
  const found: Added[] = [];
  for (let value = open.pop(); value; value = open.pop()) {
    if (seen.has(value.id)) continue;
    seen.add(value.id);
    const node = producers.makers.get(value.id);
    if (!node || stops.has(node.op)) continue;
    const [out] = node.outputs;
    const { call } = node.origin;
    if (node.op === "Add" && out && call)
      for (const added of node.inputs) {
        const rows = added && rowsOf(structure, added, out);
        if (rows) found.push({ call, ...rows });
      }
    open.push(...node.inputs.filter((input) => input !== null && isFloat(input.dtype)).map(some));
  }
  return found;
}

const some = (value: Value | null): Value => value as Value;

/** null: no rows of a table, one for each position and the same for all samples. */
function rowsOf(structure: Structure, added: Value, out: Value): Omit<Added, "call"> | null {
  const { nodes, producers, sourceOf } = structure;
  const [places = 1, width = 1] = out.shape.slice(-2);
  const source = sourceOf(added).value;
  const node = producers.makers.get(source.id);
  const [table, second] = node?.inputs ?? [];
  if (added.shape.at(-1) !== width) return null;
  if (!node) {
    if (source.role !== "constant" || !source.data || source.data.length !== places * width)
      return null;
    const { data } = source;
    const rows = Array.from({ length: places }, (_, row) =>
      Array.from(data.slice(row * width, (row + 1) * width), (one) =>
        Number(one).toPrecision(5),
      ).join(),
    );
    return { key: "numbers", rows };
  }
  if (table?.role !== "parameter" || !second) return null;
  if (node.op === "Gather") {
    const indices = numbersFrom(second, nodes, producers.makers);
    const length = second.shape.at(-1) ?? 1;
    if (!indices || length !== places || !isRepeated(indices, length)) return null;
    return { key: `${table.id}`, rows: Array.from(indices.slice(0, length), String) };
  }
  return node.op === "Slice" ? sliceOf(node, table, places) : null;
}

const isRepeated = (numbers: ArrayLike<number>, length: number): boolean =>
  Array.from(numbers).every((one, at) => one === numbers[at % length]);

/** `table[:, start : start + places]` */
function sliceOf({ inputs }: Node, table: Value, places: number): Omit<Added, "call"> | null {
  const [, starts, ends] = inputs;
  const [first, end] = [starts?.data?.[0], ends?.data?.[0]];
  if (first === undefined || end === undefined || starts?.data?.length !== 1) return null;
  if (Number(end) - Number(first) !== places) return null;
  return {
    key: `${table.id}`,
    rows: Array.from({ length: places }, (_, at) => `${Number(first) + at}`),
  };
}
