/** A run's outputs → the moments of every measured value, and which of them need a second stage. */
import type { Graph, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Stats } from "../protocol/report.ts";
import { type Instrumented, measuredFor, type Wanted } from "./instrument.ts";
import { hostMoments, type Moments, magnitudes, repeated, toStats } from "./moments.ts";
import {
  type FirstRead,
  isEmpty,
  keyOf,
  type Reading,
  type Results,
  readFirst,
} from "./readings.ts";
import type { Doubt } from "./refine.ts";
import { combined } from "./wholes.ts";
import { anywhere, columns, nowhere, some, type Zeros } from "./zeroPatterns.ts";
import { findZeros } from "./zeros.ts";

export interface Collected {
  /** By `keyOf` the value that holds the numbers. */
  readonly moments: ReadonlyMap<string, Moments>;
  readonly doubts: readonly Doubt[];
}

/**
 * `graph` is the one that was instrumented, without statistics; `known` has the moments, by `keyOf`,
 * of values that were not measured because they are known.
 */
export function collect(
  graph: Graph,
  instrumented: Instrumented,
  results: Results,
  known: ReadonlyMap<string, Moments> = new Map(),
): Collected {
  const reads = new Map<string, { readonly reading: Reading; readonly read: FirstRead }>();
  for (const reading of instrumented.readings)
    reads.set(keyOf(reading.value, reading.complex), {
      reading,
      read: readFirst(reading, results),
    });

  const measured = (value: Value): Zeros | null => {
    const key = keyOf(value, false);
    const read = reads.get(key)?.read;
    const counted = read?.zeros === anywhere ? read.moments : known.get(key);
    return counted ? zerosIn(value, counted) : null;
  };
  const staysAbove = (value: Value, least: number): boolean => {
    const moments = reads.get(keyOf(instrumented.sourceOf(value).value, false))?.read.moments;
    return moments !== undefined && moments.negInf === 0 && moments.min > least;
  };
  const isWrong = instrumented.assumed.some(({ value, least }) => !staysAbove(value, least));
  const isSurprising = [...measuredValues(instrumented, graph)].some((value) => {
    const zeros = measured(value) ?? nowhere;
    return (zeros & ~instrumented.zerosOf(value)) !== nowhere && !isZeroBias(value, zeros);
  });
  const zerosOf =
    isSurprising || isWrong ? findZeros(graph, measured, staysAbove) : instrumented.zerosOf;

  const doubts: Doubt[] = [];
  for (const { reading, read } of reads.values()) {
    const { value, complex } = reading;
    const { moments: first, nonFinite, inexact } = read;
    const uncounted = zerosOf(value) & ~read.zeros;
    const zeros = read.zeros !== anywhere && (uncounted !== nowhere || misses(first));
    if (nonFinite || inexact || zeros)
      doubts.push({ value, complex, first, nonFinite, inexact, zeros });
  }
  const moments = new Map([...reads].map(([key, { read }]) => [key, read.moments]));
  return { moments, doubts };
}

function* measuredValues({ readings }: Instrumented, { inputs }: Graph): Iterable<Value> {
  for (const { value } of readings) yield value;
  yield* inputs;
}

/** Biases at their start are expected: adding them makes no zero. */
const isZeroBias = ({ role, shape }: Value, zeros: Zeros): boolean =>
  role === "parameter" && shape.length <= 1 && zeros === anywhere;

/** An extreme that is 0 is an element that is 0. */
const misses = ({ min, max, zeros }: Moments): boolean => zeros === 0 && (min === 0 || max === 0);

/** What counted zeros tell of where they are; null: nothing, the operator may. */
function zerosIn({ role, shape }: Value, { zeros, count }: Moments): Zeros | null {
  if (zeros === 0) return nowhere;
  if (zeros === count) return anywhere;
  if (role !== "parameter") return null;
  // Fewer than the shortest line has are single weights, which make no product 0.
  const shortest = Math.min(...shape.filter((size) => size > 1));
  return zeros < shortest ? nowhere : shape.length <= 1 ? some | columns : anywhere;
}

/** The statistics of any value, whether measured or known before the run; null: neither. */
export type StatsOf = (one: Wanted) => Stats | null;

export function createStatsOf(
  { sourceOf, partsOf }: Pick<Instrumented, "sourceOf" | "partsOf">,
  ...stages: readonly ReadonlyMap<string, Moments>[]
): StatsOf {
  const known = new Map<string, Moments>(stages.flatMap((moments) => [...moments]));
  const made = new Map<string, Stats>();
  return (one) => {
    const value = measuredFor(one, sourceOf);
    const complex = one.complex === true;
    const times = complex ? 1 : sourceOf(one.value).times;
    const key = keyOf(value, complex);
    const stats = made.get(`${key}×${times}`);
    if (stats) return stats;
    const moments = known.get(key) ?? ofParts(key) ?? momentsOfKnown(value, complex);
    if (moments === null) return null;
    const fresh = toStats(times === 1 ? moments : repeated(moments, times));
    made.set(`${key}×${times}`, fresh);
    return fresh;
  };

  function ofParts(key: string): Moments | null {
    const parts = partsOf.get(key)?.flatMap((part) => known.get(keyOf(part, false)) ?? []);
    return parts ? combined(parts) : null;
  }
}

function momentsOfKnown(value: Value, complex: boolean): Moments | null {
  if (isEmpty(value)) return hostMoments(new Float32Array(0));
  if (value.data === null || value.data.length !== numel(value.shape)) return null;
  return hostMoments(complex ? magnitudes(value.data) : value.data);
}
