/** The second stage, in float64: exact statistics of the few values whose first numbers do not suffice. */
import type { Emit, Graph, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { numel } from "../graph/tensor.ts";
import type { Moments } from "./moments.ts";
import { keyOf, numbersOf, type Results } from "./readings.ts";
import { writeMagnitude } from "./reduce.ts";
import { weave } from "./weave.ts";

/** A value whose first numbers do not suffice, what they were, and what is needed instead. */
export interface Doubt {
  readonly value: Value;
  readonly complex: boolean;
  readonly first: Moments;
  /** Numbers that are not finite, or sums that overflowed: everything anew. */
  readonly nonFinite: boolean;
  /** The variance is lost beside the mean, or the squares beside float32's smallest number. */
  readonly inexact: boolean;
  /** Zeros were not counted and may be there. */
  readonly zeros: boolean;
}

export interface Refined {
  /** What the doubted values depend on, and their exact statistics as outputs. */
  readonly graph: Graph;
  readonly readings: readonly RefinedReading[];
}

interface RefinedReading {
  readonly doubt: Doubt;
  readonly outputs: Partial<Readonly<Record<Output, Value>>>;
}

/** `sum` and `squares` are of the finite elements' distance from `shift`. */
type Output =
  | "shift"
  | "sum"
  | "squares"
  | "min"
  | "max"
  | "nan"
  | "posInf"
  | "negInf"
  | "nonzeros";

/** null where there is no doubt. */
export function refine(graph: Graph, doubts: readonly Doubt[]): Refined | null {
  if (doubts.length === 0) return null;
  const doubtsOf = new Map<number, Doubt[]>();
  for (const doubt of doubts) {
    const { id } = doubt.value;
    doubtsOf.set(id, [...(doubtsOf.get(id) ?? []), doubt]);
  }
  const readings: RefinedReading[] = [];
  const emit = weave(graph, (emitter, value) => {
    for (const doubt of doubtsOf.get(value.id) ?? [])
      readings.push({ doubt, outputs: writeExact(emitter, doubt) });
  });
  const outputs = readings.flatMap((reading) => Object.values(reading.outputs));
  return { graph: prune({ ...graph, nodes: emit.nodes, outputs }), readings };
}

export function readRefined(refined: Refined, results: Results): Map<string, Moments> {
  return new Map(
    refined.readings.map((reading) => {
      const { value, complex } = reading.doubt;
      return [keyOf(value, complex), readExact(reading, results)];
    }),
  );
}

const drop = { keepdims: 0 };

function writeExact(emit: Emit, doubt: Doubt): RefinedReading["outputs"] {
  const wide = emit.op("Cast", [doubt.value], { to: "float64" });
  const x = doubt.complex ? writeMagnitude(emit, wide) : wide;
  return {
    ...(doubt.zeros || doubt.nonFinite
      ? { nonzeros: count(emit, emit.op("Cast", [x], { to: "bool" })) }
      : {}),
    ...(doubt.nonFinite
      ? writeAnew(emit, x)
      : doubt.inexact
        ? writeCentred(emit, x, doubt.first)
        : {}),
  };
}

/** The mean of the first stage is near enough to shift by. */
function writeCentred(emit: Emit, x: Value, first: Moments): RefinedReading["outputs"] {
  const hidden = first.negInf > 0 ? emit.op("IsInf", [x]) : null;
  const shift = emit.scalar(first.mean, "float64");
  const d = emit.op("Sub", [x, shift]);
  return { shift, ...writeSums(emit, hidden === null ? d : without(emit, hidden, d, 0)) };
}

function writeAnew(emit: Emit, x: Value): RefinedReading["outputs"] {
  const isNan = emit.op("IsNaN", [x]);
  const hidden = emit.op("Or", [isNan, emit.op("IsInf", [x])]);
  const y = without(emit, hidden, x, 0);
  const finite = count(emit, emit.op("Not", [hidden]));
  const shift = emit.op("Div", [
    emit.op("ReduceSum", [y, null], drop),
    emit.op("Max", [finite, emit.scalar(1, "float64")]),
  ]);
  const extreme = (op: string, filler: number): Value =>
    emit.op(op, [without(emit, hidden, x, filler), null], drop);
  return {
    shift,
    ...writeSums(emit, without(emit, hidden, emit.op("Sub", [y, shift]), 0)),
    min: extreme("ReduceMin", Number.POSITIVE_INFINITY),
    max: extreme("ReduceMax", Number.NEGATIVE_INFINITY),
    nan: count(emit, isNan),
    posInf: count(emit, emit.op("IsInf", [x], { detect_negative: 0 })),
    negInf: count(emit, emit.op("IsInf", [x], { detect_positive: 0 })),
  };
}

const without = (emit: Emit, hidden: Value, x: Value, filler: number): Value =>
  emit.op("Where", [hidden, emit.scalar(filler, x.dtype), x]);

const writeSums = (emit: Emit, d: Value) => ({
  sum: emit.op("ReduceSum", [d, null], drop),
  squares: emit.op("ReduceSumSquare", [d, null], drop),
});

const count = (emit: Emit, condition: Value): Value =>
  emit.op("ReduceSum", [emit.op("Cast", [condition], { to: "float64" }), null], drop);

function readExact({ doubt, outputs }: RefinedReading, results: Results): Moments {
  const { first } = doubt;
  const read = (output: Output, otherwise: number): number => {
    const value = outputs[output];
    return value === undefined ? otherwise : (numbersOf(results, value)[0] ?? otherwise);
  };
  const count = numel(doubt.value.shape) / (doubt.complex ? 2 : 1);
  const nan = read("nan", first.nan);
  const posInf = read("posInf", first.posInf);
  const negInf = read("negInf", first.negInf);
  const finite = count - nan - posInf - negInf;
  const sum = read("sum", 0);
  return {
    count,
    nan,
    posInf,
    negInf,
    zeros: outputs.nonzeros ? count - read("nonzeros", count) : first.zeros,
    min: read("min", first.min),
    max: read("max", first.max),
    mean: finite === 0 ? 0 : read("shift", first.mean) + sum / finite,
    deviations: outputs.squares
      ? Math.max(read("squares", 0) - (sum * sum) / Math.max(finite, 1), 0)
      : first.deviations,
  };
}
