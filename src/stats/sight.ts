/** Which keys an attention's queries look at: before them, at their own place, after them. */
import type { Value } from "../graph/graph.ts";
import { type Numbers, sameShape } from "../graph/tensor.ts";
import type { Sight } from "../protocol/report.ts";
import type { MeasuredAttention } from "./measuredParts.ts";
import { widened } from "./reduce.ts";
import type { Probe } from "./weave.ts";

/** Larger maps cost more to give out than they tell. */
const mapLimit = 2 ** 18;
/** A query whose scores are all below is left no key: finite masks make its weights even. */
const hidden = -1e3;

/** null: queries and keys are not the same places, or there are too many of them. */
export function sightOf({ weights, logits, found }: MeasuredAttention): Probe<Sight> | null {
  const [queries = 0, keys = 0] = weights.shape.slice(-2);
  if (weights.shape.length < 2 || queries !== keys || queries < 2) return null;
  if (queries * keys > mapLimit) return null;
  const isMasked = found?.treatments.some(({ node: { op } }) => op === "Add" || op === "Where");
  const hasRows = isMasked === true && sameShape(weights.shape, logits.shape);
  return {
    needs: hasRows ? [weights, logits] : [weights],
    write(emit) {
      const p = widened(emit, weights);
      const leading = p.shape.slice(0, -2).map((_, axis) => axis);
      const overSamples = (value: Value): Value =>
        leading.length === 0
          ? emit.op("Identity", [value])
          : emit.op("ReduceMax", [value, emit.ints(leading)], { keepdims: 0 });
      if (!hasRows) return [overSamples(p)];
      const largest = emit.op("ReduceMax", [widened(emit, logits), emit.ints([-1])], {
        keepdims: 1,
      });
      const isHidden = emit.op("Less", [largest, emit.scalar(hidden, largest.dtype)]);
      const [none, one] = [emit.scalar(0, p.dtype), emit.scalar(1, p.dtype)];
      return [
        overSamples(emit.op("Where", [isHidden, none, p])),
        overSamples(emit.op("Where", [isHidden, one, none])),
      ];
    },
    read: ([map, rows]) => ({
      ...readSight(map ?? new Float32Array(0), queries),
      hiddenRows: rows ? [...rows].filter((row) => row > 0).length : 0,
    }),
  };
}

function readSight(map: Numbers, size: number): Omit<Sight, "hiddenRows"> {
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
