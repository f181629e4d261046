/** Which keys an attention's queries look at: before them, at their own place, after them. */
import type { Value } from "../graph/graph.ts";
import type { Numbers } from "../graph/tensor.ts";
import type { Sight } from "../protocol/report.ts";
import { widened } from "./reduce.ts";
import type { Probe } from "./weave.ts";

/** Larger maps cost more to give out than they tell. */
const mapLimit = 2 ** 18;

/** null: queries and keys are not the same places, or there are too many of them. */
export function sightOf(weights: Value): Probe<Sight> | null {
  const [queries = 0, keys = 0] = weights.shape.slice(-2);
  if (weights.shape.length < 2 || queries !== keys || queries < 2) return null;
  if (queries * keys > mapLimit) return null;
  return {
    needs: [weights],
    write(emit) {
      const p = widened(emit, weights);
      const leading = p.shape.slice(0, -2).map((_, axis) => axis);
      if (leading.length === 0) return [emit.op("Identity", [p])];
      return [emit.op("ReduceMax", [p, emit.ints(leading)], { keepdims: 0 })];
    },
    read: ([map]) => readSight(map ?? new Float32Array(0), queries),
  };
}

function readSight(map: Numbers, size: number): Sight {
  /** By key − query + size − 1: how many pairs have weight, and of how many both are keys of some query. */
  const seen = new Int32Array(2 * size - 1);
  const among = new Int32Array(2 * size - 1);
  const hasWeight = (row: number, column: number): boolean =>
    (map[row * size + column] as number) > 0;
  const places = Array.from({ length: size }, (_, at) => at);
  // Padding has no weight anywhere, and would count as a past that is longer than the future.
  const isKey = places.map((column) => places.some((row) => hasWeight(row, column)));
  for (const row of places)
    for (const column of places) {
      if (!hasWeight(row, column)) continue;
      const at = column - row + size - 1;
      seen[at] = (seen[at] as number) + 1;
      if (isKey[row]) among[at] = (among[at] as number) + 1;
    }
  const some = (from: number, to: number) => seen.subarray(from, to).some((count) => count > 0);
  const farthest = seen.findLastIndex((count) => count > 0) - size + 1;
  const pairs = (from: number, to: number) => among.subarray(from, to).reduce((a, b) => a + b, 0);
  return {
    past: some(0, size - 1),
    self: some(size - 1, size),
    future: some(size, 2 * size - 1),
    farthest,
    hidesFuture: pairs(0, size - 1) > 2 * pairs(size, 2 * size - 1),
  };
}
