/** The graphs of one step → one graph that takes several: an ONNX Loop whose body is the step. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { substitute } from "../graph/substitute.ts";
import { numel, type TensorType } from "../graph/tensor.ts";
import { type Emitter, noOrigin } from "../ops/emitter.ts";
import { reshapeTo } from "../ops/write.ts";
import { inputLike, type StateTensor, type StepGraphs, stateOf } from "./buildStep.ts";

export interface LoopInput {
  readonly emit: Emitter;
  readonly graphs: StepGraphs;
  /** What is fed anew for every batch. */
  readonly perBatch: readonly Value[];
  /** Batches of one update. */
  readonly accumulate: number;
  /** Steps of one call at most. */
  readonly most: number;
}

/** What one step is fed, for all steps of a call. */
export interface Stacked {
  /** Of one step, or of one batch. */
  readonly value: Value;
  /** [most, …], or [most, batches, …]. */
  readonly stack: Value;
}

/** Numbers of every step, one value of one step behind another. */
export interface Scanned {
  readonly values: readonly Value[];
  /** float32 [steps, …]: of every step, or of every batch of it. */
  readonly scan: Value;
}

export interface LoopGraph {
  readonly graph: Graph;
  /** int64 scalar: the steps that are to be taken, `most` or fewer. */
  readonly count: Value;
  readonly batches: readonly Stacked[];
  readonly coefficients: readonly Stacked[];
  /** In the order of the buckets: parameter, then moments. */
  readonly state: readonly StateTensor[];
  readonly ofBatch: Scanned;
  readonly ofStep: Scanned;
}

/**
 * The loop ends behind a step whose loss or gradients are not finite, and gives what that step came
 * to: with one step fewer to take it gives the state before it.
 */
export function loopSteps({ emit, graphs, perBatch, accumulate, most }: LoopInput): LoopGraph {
  emit.origin = { ...noOrigin, direction: "statistic" };
  const { numbers, coefficients: fed } = graphs;
  const isAccumulated = graphs.update !== null;
  const stackOf = (value: Value, ...counts: readonly number[]): Stacked => {
    return { value, stack: inputLike(emit, [...counts, ...value.shape], value.dtype) };
  };
  const batches = perBatch.map((value) =>
    isAccumulated ? stackOf(value, most, accumulate) : stackOf(value, most),
  );
  const coefficients = fed.map(({ value }) => stackOf(value, most));
  const changed = stateOf(graphs);

  const written = emit.nodes.length;
  const frame = createFrame(emit);
  const ofThis = new Map(coefficients.map(({ value, stack }) => [value, frame.take(stack)]));
  const taken = batches.map(({ stack }) => frame.take(stack));
  const ofBatch = [numbers.loss, ...numbers.streams];
  const inner = isAccumulated
    ? accumulation(emit, graphs, perBatch, taken, ofBatch, accumulate)
    : null;
  if (inner === null) {
    const step = new Map([...ofThis, ...perBatch.map((value, at) => pair(value, taken[at]))]);
    emit.nodes.push(...substitute(graphs.step.nodes, step));
  } else {
    const sums = graphs.accumulators.map(({ input }, at) => pair(input, inner.sums[at]));
    const update = new Map([...ofThis, ...sums]);
    emit.nodes.push(...substitute(graphs.update?.nodes ?? [], update));
  }
  const batchScan = inner?.scan ?? packed(emit, ofBatch);
  const ofStep = [numbers.gradients, numbers.updates, numbers.weights];
  const losses = inner === null ? numbers.loss : firstColumn(emit, inner.scan);
  const body: Graph = {
    inputs: [...frame.inputs, ...changed.map(({ input }) => input)],
    nodes: emit.nodes.splice(written),
    outputs: [],
  };
  const goesOn = allFinite(emit, [losses, numbers.gradients]);
  const stepScan = packed(emit, ofStep);
  const whole: Graph = {
    ...body,
    nodes: [...body.nodes, ...emit.nodes.splice(written)],
    outputs: [goesOn, ...changed.map(({ output }) => output), batchScan, stepScan],
  };

  const before = changed.map(({ input }) => inputLike(emit, input.shape));
  const count = inputLike(emit, [], "int64");
  const loop = loopNode(emit, whole, count, before, most);
  const outputs = loop.outputs.slice(0, changed.length);
  const [batchScans, stepScans] = loop.outputs.slice(changed.length) as [Value, Value];
  return {
    graph: {
      inputs: [count, ...before, ...[...batches, ...coefficients].map(({ stack }) => stack)],
      nodes: [loop],
      outputs: loop.outputs,
    },
    count,
    batches,
    coefficients,
    state: before.map((input, at) => ({ input, output: outputs[at] as Value })),
    ofBatch: { values: ofBatch, scan: batchScans },
    ofStep: { values: ofStep, scan: stepScans },
  };
}

const pair = (value: Value, by: Value | undefined): [Value, Value] => [value, by ?? value];

/** The batches of one update as a loop of their own: sums of gradients, and numbers of each. */
function accumulation(
  emit: Emitter,
  { step, accumulators }: StepGraphs,
  perBatch: readonly Value[],
  stacks: readonly Value[],
  ofBatch: readonly Value[],
  accumulate: number,
): { readonly sums: readonly Value[]; readonly scan: Value } {
  const written = emit.nodes.length;
  const frame = createFrame(emit);
  const taken = new Map(perBatch.map((value, at) => pair(value, frame.take(stacks[at] as Value))));
  emit.nodes.push(...substitute(step.nodes, taken));
  const scan = packed(emit, ofBatch);
  const goesOn = emit.op("Identity", [frame.condition]);
  const body: Graph = {
    inputs: [...frame.inputs, ...accumulators.map(({ input }) => input)],
    nodes: emit.nodes.splice(written),
    outputs: [goesOn, ...accumulators.map(({ output }) => output), scan],
  };
  const zeros = accumulators.map(({ input: { shape } }) =>
    emit.constant({ dtype: "float32", shape, data: new Float32Array(numel(shape)) }),
  );
  const count = emit.scalar(accumulate, "int64");
  const loop = loopNode(emit, body, count, zeros, accumulate);
  emit.nodes.push(loop);
  const sums = loop.outputs.slice(0, -1);
  return { sums, scan: loop.outputs.at(-1) as Value };
}

/** The first inputs of a body, and its part of what is stacked for all rounds. */
function createFrame(emit: Emitter) {
  const round = inputLike(emit, [], "int64");
  const condition = inputLike(emit, [], "bool");
  return {
    inputs: [round, condition],
    condition,
    take: (stack: Value): Value => emit.op("Gather", [stack, round], { axis: 0 }),
  };
}

/** Outputs of a body: the condition, what it carries, and behind that what is kept of every round. */
function loopNode(
  emit: Emitter,
  body: Graph,
  count: Value,
  carried: readonly Value[],
  rounds: number,
): Node {
  const made = ({ dtype, shape }: TensorType): Value => {
    return { ...inputLike(emit, shape, dtype), role: "node" };
  };
  const scans = body.outputs.slice(1 + carried.length);
  return {
    op: "Loop",
    inputs: [count, emit.scalar(1, "bool"), ...carried],
    outputs: [
      ...carried.map(made),
      ...scans.map(({ dtype, shape }) => made({ dtype, shape: [rounds, ...shape] })),
    ],
    attrs: { body },
    origin: { ...noOrigin, direction: "statistic" },
  };
}

const flatFloat32 = (emit: Emitter, value: Value): Value => {
  const flat = reshapeTo(emit, value, [numel(value.shape)]);
  return flat.dtype === "float32" ? flat : emit.op("Cast", [flat], { to: "float32" });
};

/** All elements of all values, one after another. */
function packed(emit: Emitter, values: readonly Value[]): Value {
  const flat = values.map((value) => flatFloat32(emit, value));
  return flat.length === 1 ? (flat[0] as Value) : emit.op("Concat", flat, { axis: 0 });
}

/** [n, m] → [n]. */
const firstColumn = (emit: Emitter, matrix: Value): Value =>
  emit.op("Gather", [matrix, emit.scalar(0, "int64")], { axis: 1 });

/** x · 0 is 0 for what is finite, and NaN for all else: whether the sum of all is 0. */
function allFinite(emit: Emitter, values: readonly Value[]): Value {
  const zeros = emit.op("Mul", [packed(emit, values), emit.scalar(0, "float32")]);
  const sum = emit.op("ReduceSum", [zeros, null], { keepdims: 0 });
  return emit.op("Equal", [sum, emit.scalar(0, "float32")]);
}
