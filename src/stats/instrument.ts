/** Graph → the same graph with the first stage of statistics, and where to read them. */
import type { Graph, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { findReach } from "./constantsReach.ts";
import { isEmpty, keyOf, type Reading, type Span } from "./readings.ts";
import { rowAxes, sumError, widened, writeMagnitude, writeSums } from "./reduce.ts";
import { createShelves, type Placed } from "./shelves.ts";
import { findSources, type SourceOf } from "./sources.ts";
import { createProbeWriter, type Probe, weave } from "./weave.ts";
import { findWholes } from "./wholes.ts";
import { rows as lines, nowhere, type Zeros } from "./zeroPatterns.ts";
import type { Context } from "./zeroRules.ts";
import { findZeros } from "./zeros.ts";

export interface Wanted {
  readonly value: Value;
  /** A -Infinity that the model put there is in it: it is counted and left out at once. */
  readonly masked?: boolean;
  /** Pairs on the last axis, measured as magnitudes. */
  readonly complex?: boolean;
  /** Few lines may be far larger than all others, as in gradients: those of the classes that are asked for. */
  readonly uneven?: boolean;
}

export interface Instrumented {
  /** Its outputs are the given graph's and the statistics'. */
  readonly graph: Graph;
  readonly readings: readonly Reading[];
  readonly sourceOf: SourceOf;
  /** By `keyOf`, the parts of values that are not measured because all of their parts are. */
  readonly partsOf: ReadonlyMap<string, readonly Value[]>;
  /** Where values can hold zeros, as far as it is known before the run. */
  readonly zerosOf: (value: Value) => Zeros;
  /** What `zerosOf` takes for granted: the numbers of these measured values are above `least`. */
  readonly assumed: readonly Assumption[];
  /** What each probe wrote. */
  readonly probes: ReadonlyMap<Probe<unknown>, readonly Value[]>;
}

export interface Assumption {
  readonly value: Value;
  readonly least: number;
}

export interface InstrumentOptions {
  readonly probes?: readonly Probe<unknown>[];
  /** Whether the moments of a value are known without measuring it, by its key (see keyOf). */
  isKnown?(key: string): boolean;
  /** Of a larger graph that this is a part of: the part needs only the values that are measured. */
  readonly sourceOf?: SourceOf;
}

/**
 * Measures each wanted value once, directly after what makes it, in one of three ways: the smallest
 * are given out whole, side by side; small ones are reduced side by side; others have four
 * reductions of their own. Values whose numbers are known before the run get no node.
 */
export function instrument(
  graph: Graph,
  wanted: readonly Wanted[],
  options: InstrumentOptions = {},
): Instrumented {
  const { probes = [], isKnown = () => false, sourceOf = findSources(graph) } = options;
  const distinct = distinctOf(wanted, sourceOf, isKnown);
  const partsOf = takeWholes(distinct, findWholes(graph, sourceOf));
  const targets = targetsOf(distinct);
  const assumed: Assumption[] = [];
  const facts = factsOf(graph, (given, least) => {
    const { value } = sourceOf(given);
    const isToBeMeasured = targets.get(value.id)?.some(({ complex }) => !complex) === true;
    if (isToBeMeasured) assumed.push({ value, least });
    return isToBeMeasured;
  });
  const measurer = createMeasurer(facts);
  const probeWriter = createProbeWriter(probes);
  const emit = weave(graph, (emitter, value) => {
    for (const target of targets.get(value.id) ?? []) measurer.measure(emitter, target);
    probeWriter.made(emitter, value);
  });
  measurer.flush(emit);
  const outputs = [
    ...graph.outputs,
    ...measurer.outputs(),
    ...[...probeWriter.outputs.values()].flat(),
  ];
  return {
    graph: { ...graph, nodes: emit.nodes, outputs },
    readings: measurer.readings,
    sourceOf,
    partsOf,
    zerosOf: facts.zerosOf,
    assumed,
    probes: probeWriter.outputs,
  };
}

/** Whether a value is known only by running the graph. */
export const isMeasured = (value: Value): boolean =>
  !isEmpty(value) && (value.role === "node" || value.role === "parameter");

/** The value that is measured for another. Pairs are pairs only under the value's own shape. */
export const measuredFor = ({ value, complex = false }: Wanted, sourceOf: SourceOf): Value =>
  complex ? value : sourceOf(value).value;

/** By `keyOf`: each measurement once. */
function distinctOf(
  wanted: readonly Wanted[],
  sourceOf: SourceOf,
  isKnown: (key: string) => boolean,
): Map<string, Wanted> {
  const distinct = new Map<string, Wanted>();
  for (const one of wanted) {
    const value = measuredFor(one, sourceOf);
    if (!isMeasured(value)) continue;
    const key = keyOf(value, one.complex === true);
    if (isKnown(key)) continue;
    const masked = one.masked === true || distinct.get(key)?.masked === true;
    const uneven = one.uneven === true || distinct.get(key)?.uneven === true;
    distinct.set(key, { ...one, value, masked, uneven });
  }
  return distinct;
}

/** Takes out of `distinct` the large values whose parts are all in it, and gives their parts. */
function takeWholes(
  distinct: Map<string, Wanted>,
  wholes: ReadonlyMap<number, readonly Value[]>,
): Map<string, readonly Value[]> {
  const partsOf = new Map<string, readonly Value[]>();
  const needed = new Set<string>();
  for (const [key, { value, masked, complex }] of distinct) {
    const parts = wholes.get(value.id) ?? [];
    const keys = parts.map((part) => keyOf(part, false));
    const isPlain = keys.length > 0 && !masked && !complex && !needed.has(key);
    if (!isPlain || numel(value.shape) <= shelfLimit) continue;
    if (keys.some((part) => distinct.get(part)?.masked !== false)) continue;
    for (const part of keys) needed.add(part);
    partsOf.set(key, parts);
    distinct.delete(key);
  }
  return partsOf;
}

/** By value id: at most one measurement of the elements and one of the magnitudes. */
function targetsOf(distinct: ReadonlyMap<string, Wanted>): Map<number, Wanted[]> {
  const targets = new Map<number, Wanted[]>();
  for (const target of distinct.values()) {
    const { id } = target.value;
    targets.set(id, [...(targets.get(id) ?? []), target]);
  }
  return targets;
}

/** Up to here, giving the elements out costs less than reducing them. */
const wholeLimit = 2048;
/** A vector has no rows to reduce on a shelf: its own nodes are the alternative. */
const wholeVectorLimit = 2 ** 14;
const wholeShelf = { values: 32, elements: 2 ** 15 };
/** Up to here, the copy onto a shelf costs less than a value's own nodes. */
const shelfLimit = 2 ** 16;
const reducedShelf = { values: 16, elements: 2 ** 19 };
/** Longer float32 sums of squares are off by more than 1e-4. */
const sumLimit = 2 ** 20;
/** More rows than this are as good as a reduction's elements. */
const shelfRows = 1024;

/** What is known of a value before the run. */
interface Facts {
  zerosOf(value: Value): Zeros;
  /** Whether a mask's finite number may be in it whose square is not finite. */
  isHuge(value: Value): boolean;
  /** Whether its mean may be large beside its deviation, so that sums must be short. */
  isOffCentre(value: Value): boolean;
}

const offCentre = new Set(["Sigmoid", "HardSigmoid", "Softmax", "Softplus", "Exp", "Sqrt", "Pow"]);

function factsOf(graph: Graph, staysAbove: Context["staysAbove"]): Facts {
  const positive = new Set<number>();
  for (const { op, outputs } of graph.nodes)
    if (offCentre.has(op)) for (const { id } of outputs) positive.add(id);
  return {
    zerosOf: findZeros(graph, () => null, staysAbove),
    isHuge: findReach(graph, (x) => Math.abs(x) > 1e15 && Number.isFinite(x)),
    isOffCentre: ({ id }) => positive.has(id),
  };
}

/** Weights are full or anything; lines of zeros show in the extremes of lines. */
const needsCount = (zeros: Zeros, value: Value, hasLines: boolean): boolean =>
  value.role === "parameter" || (hasLines ? zeros & ~lines : zeros) !== nowhere;

/** Along the last axis, where lines are long and few enough: they run in parallel. */
function lineAxis(emit: Emitter, { shape }: Value): Value | null {
  const line = shape.at(-1) ?? 1;
  const isWorth = line >= shortestLine && numel(shape) / line <= mostLines;
  return isWorth ? emit.ints([shape.length - 1]) : null;
}

/** float32 ends at 2¹²⁸: quotients are below 2³², and 2⁶³ of their squares fit. */
const hugeScale = 2 ** 96;
const shortestLine = 16;
const mostLines = 2 ** 16;

function createMeasurer(facts: Facts) {
  const readings: Reading[] = [];

  const whole = createShelves(wholeShelf, (_emit, key, output, placed) => {
    for (const { value, ...rows } of placed) {
      const span = inElements(value, rows);
      readings.push({ kind: "whole", value, complex: key === "complex", output, span });
    }
  });

  const reduced = createShelves(reducedShelf, (emit, key, joined, placed) => {
    const [complex, masked] = [key.includes("complex"), key.includes("masked")];
    const x = elementsOf(emit, joined, complex);
    const axes = emit.ints(x.shape.slice(1).map((_, axis) => axis + 1));
    const scale = key.includes("huge") ? hugeScale : 1;
    const sums = writeSums(emit, x, { axes, lines: axes, countsZeros: true, masked, scale });
    const error = sumError(x, axes);
    for (const { value, ...span } of placed) {
      const count = numel(value.shape) / (complex ? 2 : 1);
      readings.push({ kind: "sums", value, complex, count, scale, error, sums, line: null, span });
    }
  });

  function alone(emit: Emitter, target: Wanted) {
    const { value, masked = false, complex = false, uneven = false } = target;
    const x = elementsOf(emit, value, complex);
    const rows = rowAxes(emit, x.shape, facts.isOffCentre(value) ? shelfLimit : sumLimit);
    const isTooLong = rows === null && numel(x.shape) > sumLimit;
    const wide = isTooLong ? emit.op("Cast", [x], { to: "float64" }) : x;
    const line = lineAxis(emit, wide);
    const axes = uneven && !isTooLong ? (rows ?? line) : rows;
    const countsZeros = masked || complex || needsCount(facts.zerosOf(value), value, line !== null);
    const scale = facts.isHuge(value) ? hugeScale : 1;
    const sums = writeSums(emit, wide, { axes, lines: line ?? axes, countsZeros, masked, scale });
    readings.push({
      kind: "sums",
      value,
      complex,
      count: numel(x.shape),
      scale,
      error: sumError(wide, axes),
      sums,
      line: line === null ? null : (x.shape.at(-1) ?? 1),
      span: null,
    });
  }

  return {
    readings,
    measure(emit: Emitter, target: Wanted): void {
      const { value, masked = false, complex = false } = target;
      const elements = numel(value.shape);
      const isHuge = facts.isHuge(value);
      const key = `${complex ? "complex" : ""} ${masked ? "masked" : ""} ${isHuge ? "huge" : ""}`;
      if (value.shape.length === 0)
        readings.push({ kind: "whole", value, complex, output: value, span: null });
      else if (elements <= (value.shape.length === 1 ? wholeVectorLimit : wholeLimit))
        whole.put(emit, complex ? "complex" : "", value);
      else if (elements <= shelfLimit && hasRows(value, complex)) reduced.put(emit, key, value);
      else alone(emit, target);
    },
    flush(emit: Emitter): void {
      whole.flush(emit);
      reduced.flush(emit);
    },
    outputs: (): Value[] => readings.flatMap(outputsOf),
  };
}

const elementsOf = (emit: Emitter, value: Value, complex: boolean): Value =>
  complex ? writeMagnitude(emit, widened(emit, value)) : widened(emit, value);

const hasRows = ({ shape }: Value, complex: boolean): boolean =>
  shape.length >= (complex ? 3 : 2) && (shape[0] ?? 1) <= shelfRows;

function inElements(value: Value, { from, to }: Omit<Placed, "value">): Span {
  const row = numel(value.shape.slice(1));
  return { from: from * row, to: to * row };
}

function outputsOf(reading: Reading): Value[] {
  if (reading.kind === "whole") return [reading.output];
  const { sum, squares, min, max, nonzeros, negInf } = reading.sums;
  return [sum, squares, min, max, nonzeros, negInf].filter((value) => value !== null);
}
