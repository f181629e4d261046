/** What an optimiser is to the graph of a step: the state of a bucket, and the nodes of its update. */
import type { Emit, Value } from "../../graph/graph.ts";

export interface Optimiser {
  /** Equal for optimisers that can share a bucket. */
  readonly key: string;
  /** Its update needs whole tensors: a bucket then has one. */
  readonly wholeMatrices: boolean;
  /** The default or the wish; the layout gives some buckets none. */
  readonly weightDecay: number;
  /** Shapes of the tensors that it keeps for a bucket of `shape`; they begin as zeros. */
  state(shape: readonly number[]): readonly (readonly number[])[];
  /** Numbers that depend on the step, by name: computed in float64, fed as float32. */
  coefficients(step: number, lr: number, weightDecay: number): Readonly<Record<string, number>>;
  update(emit: Emit, at: UpdateInput): Update;
}

export interface UpdateInput {
  readonly parameter: Value;
  /** Clipped. */
  readonly gradient: Value;
  readonly state: readonly Value[];
  readonly weightDecay: number;
  /** A float32 scalar. Those that no update reads are not fed. */
  coefficient(name: string): Value;
}

export interface Update {
  readonly parameter: Value;
  /** Old minus new parameter, where the update makes it on its way. */
  readonly change?: Value | null;
  readonly state: readonly Value[];
}

/** Nodes of arithmetic, with numbers as float32 constants. */
export function arithmetic(emit: Emit) {
  const value = (x: Value | number): Value =>
    typeof x === "number" ? emit.scalar(x, "float32") : x;
  const binary = (op: string) => (a: Value | number, b: Value | number) =>
    emit.op(op, [value(a), value(b)]);
  const [add, sub, mul, div] = [binary("Add"), binary("Sub"), binary("Mul"), binary("Div")];
  return {
    add,
    sub,
    mul,
    div,
    max: binary("Max"),
    min: binary("Min"),
    sqrt: (x: Value) => emit.op("Sqrt", [x]),
    /** start + weight · (end − start), as Tensor.lerp computes it for weights below one half. */
    lerp: (start: Value, end: Value, weight: Value | number) =>
      add(start, mul(sub(end, start), weight)),
    /** The root of the sum of all squares: a scalar. */
    norm: (x: Value) => emit.op("Sqrt", [emit.op("ReduceSumSquare", [x, null], { keepdims: 0 })]),
  };
}
