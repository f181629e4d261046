/** A traced program with gradients → the graphs that take one step of training. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { substitute } from "../graph/substitute.ts";
import { numel } from "../graph/tensor.ts";
import { type Emitter, noOrigin } from "../ops/emitter.ts";
import { reshapeTo } from "../ops/write.ts";
import type { Bucket, Layout, Trained } from "./layout.ts";
import { arithmetic } from "./optimisers/optimiser.ts";

/** A tensor that a step reads and writes anew. */
export interface StateTensor {
  readonly input: Value;
  readonly output: Value;
}

export interface BucketState {
  readonly parameter: StateTensor;
  /** The optimiser's, zeros at first. */
  readonly moments: readonly StateTensor[];
}

/** A number of the optimiser's that is fed at every step (see Optimiser.coefficients). */
export interface Coefficient {
  readonly bucket: Bucket;
  readonly name: string;
  readonly value: Value;
}

/** The loss, and sums of squares. */
export interface StepNumbers {
  readonly loss: Value;
  /** [P], in the order of the buckets' members. */
  readonly gradients: Value;
  /** [buckets] each. */
  readonly updates: Value;
  readonly weights: Value;
  /** One element each. */
  readonly streams: readonly Value[];
}

export interface StepGraphs {
  /** Forward, backward and, unless gradients are accumulated, the update. */
  readonly step: Graph;
  /** The update from accumulated gradients; null: `step` has it. */
  readonly update: Graph | null;
  readonly buckets: readonly BucketState[];
  readonly coefficients: readonly Coefficient[];
  /** Sums of gradients of the batches so far; empty unless they are accumulated. */
  readonly accumulators: readonly StateTensor[];
  readonly numbers: StepNumbers;
}

export interface StepInput {
  readonly nodes: readonly Node[];
  readonly inputs: readonly Value[];
  readonly loss: Value;
  readonly emit: Emitter;
  readonly layout: Layout;
  readonly streams: readonly Value[];
  readonly clip: number | null;
  readonly accumulate: number;
}

export function buildStep(input: StepInput): StepGraphs {
  const { emit, layout, loss, accumulate } = input;
  emit.origin = { ...noOrigin, direction: "statistic" };
  const written = emit.nodes.length;
  const parameters = layout.buckets.map((bucket) => inputLike(emit, bucketShape(bucket)));
  const substitutes = new Map<Value, Value>();
  layout.buckets.forEach((bucket, at) => {
    const parts = partsOf(emit, bucket, parameters[at] as Value);
    bucket.members.forEach(({ value }, member) => {
      substitutes.set(value, parts[member] as Value);
    });
  });
  const split = emit.nodes.slice(written);

  const flat = flattening(emit);
  const fresh = layout.buckets.map((bucket) => joined(emit, bucket.members, flat));
  const isAccumulated = accumulate > 1;
  const sums = isAccumulated ? fresh.map(({ shape }) => inputLike(emit, shape)) : [];
  const { add, mul } = arithmetic(emit);
  const accumulators = sums.map((sum, at): StateTensor => {
    return { input: sum, output: add(sum, mul(fresh[at] as Value, 1 / accumulate)) };
  });
  const bucketGradients = isAccumulated ? sums : fresh;
  const gradients = together(
    emit,
    layout.buckets.flatMap((bucket, at) =>
      isAccumulated
        ? partsOf(emit, bucket, sums[at] as Value)
        : bucket.members.map(({ gradient }) => gradient),
    ),
    flat,
  );
  const clipped = clipBy(emit, bucketGradients, gradients, input.clip);
  const coefficients = createCoefficients(emit);
  const changes: Value[] = [];
  const updated = layout.buckets.map((bucket, at): BucketState => {
    const parameter = parameters[at] as Value;
    const state = bucket.optimiser.state(parameter.shape).map((shape) => inputLike(emit, shape));
    const update = bucket.optimiser.update(emit, {
      parameter,
      gradient: clipped[at] as Value,
      state,
      weightDecay: bucket.weightDecay,
      coefficient: (name) => coefficients.get(bucket, name),
    });
    changes.push(update.change ?? emit.op("Sub", [update.parameter, parameter]));
    return {
      parameter: { input: parameter, output: update.parameter },
      moments: state.map((before, slot) => {
        return { input: before, output: update.state[slot] as Value };
      }),
    };
  });
  const numbers: StepNumbers = {
    loss,
    gradients,
    updates: together(emit, changes, flat),
    weights: together(emit, parameters, flat),
    streams: input.streams.map((stream) =>
      emit.op("ReduceSumSquare", [stream, null], { keepdims: 1 }),
    ),
  };

  const own = emit.nodes.slice(written + split.length);
  const nodes = substitute([...split, ...input.nodes, ...own], substitutes);
  const of = (value: Value): Value => substitutes.get(value) ?? value;
  const graphOf = (outputs: readonly Value[]): Graph =>
    prune({ inputs: input.inputs, nodes, outputs: outputs.map(of) });
  const changed = stateOf({ buckets: updated });
  const ofUpdate = [
    ...changed.map(({ output }) => output),
    numbers.gradients,
    numbers.updates,
    numbers.weights,
  ];
  const ofStep = [loss, ...numbers.streams, ...accumulators.map(({ output }) => output)];
  return {
    step: graphOf(isAccumulated ? ofStep : [...ofStep, ...ofUpdate]),
    update: isAccumulated ? graphOf(ofUpdate) : null,
    buckets: updated,
    coefficients: coefficients.all,
    accumulators,
    numbers,
  };
}

/** A value that is fed. */
export const inputLike = (
  emit: Emitter,
  shape: readonly number[],
  dtype: Value["dtype"] = "float32",
): Value =>
  emit.input({ dtype, shape }, { role: "input", name: null, requiresGrad: false, data: null });

/** One member keeps its shape; several lie one after another. */
export const bucketShape = ({ members, size }: Bucket): readonly number[] =>
  members.length === 1 ? (members[0] as Trained).value.shape : [size];

/** WebGPU refuses to write more tensors than this at once: its least limit is 8 buffers. */
const mostParts = 7;

function partsOf(emit: Emitter, { members }: Bucket, whole: Value): readonly Value[] {
  if (members.length === 1) return [whole];
  const parts = splitBy(
    emit,
    whole,
    members.map(({ size }) => size),
  );
  return members.map(({ value }, at) => reshapeTo(emit, parts[at] as Value, value.shape));
}

function splitBy(emit: Emitter, whole: Value, sizes: readonly number[]): readonly Value[] {
  if (sizes.length === 1) return [whole];
  if (sizes.length <= mostParts)
    return emit.ops("Split", [whole, emit.ints(sizes)], { axis: 0 }, sizes.length);
  const each = Math.ceil(sizes.length / mostParts);
  const groups = Array.from({ length: Math.ceil(sizes.length / each) }, (_, at) =>
    sizes.slice(at * each, (at + 1) * each),
  );
  const totals = groups.map((group) => group.reduce((sum, size) => sum + size, 0));
  const wholes = splitBy(emit, whole, totals);
  return groups.flatMap((group, at) => splitBy(emit, wholes[at] as Value, group));
}

type Flatten = (x: Value) => Value;

/** Each value as a vector, made once. */
function flattening(emit: Emitter): Flatten {
  const known = new Map<Value, Value>();
  return (x) => {
    const flat = known.get(x) ?? reshapeTo(emit, x, [numel(x.shape)]);
    known.set(x, flat);
    return flat;
  };
}

function joined(emit: Emitter, members: readonly Trained[], flat: Flatten): Value {
  const [only] = members as [Trained];
  if (members.length === 1) return only.gradient;
  return emit.op(
    "Concat",
    members.map(({ gradient }) => flat(gradient)),
    { axis: 0 },
  );
}

/** The sums of squares of several tensors, as one vector. */
function together(emit: Emitter, values: readonly Value[], flat: Flatten): Value {
  const squares = values.map((x) => emit.op("ReduceSumSquare", [flat(x), null], { keepdims: 1 }));
  return squares.length === 1 ? (squares[0] as Value) : emit.op("Concat", squares, { axis: 0 });
}

/** torch.nn.utils.clip_grad_norm_. */
function clipBy(
  emit: Emitter,
  gradients: readonly Value[],
  squares: Value,
  clip: number | null,
): readonly Value[] {
  if (clip === null) return gradients;
  const { add, div, mul, min } = arithmetic(emit);
  const total = emit.op("Sqrt", [emit.op("ReduceSum", [squares, null], { keepdims: 0 })]);
  const factor = min(div(clip, add(total, 1e-6)), 1);
  return gradients.map((gradient) => mul(gradient, factor));
}

/** One input for all buckets that it is the same number for. */
function createCoefficients(emit: Emitter) {
  const all: Coefficient[] = [];
  return {
    all,
    get(bucket: Bucket, name: string): Value {
      const { optimiser, weightDecay, taken } = bucket;
      const known = all.find(
        (other) =>
          other.name === name &&
          other.bucket.optimiser.key === optimiser.key &&
          other.bucket.taken === taken &&
          other.bucket.weightDecay === weightDecay,
      );
      if (known) return known.value;
      const made = { bucket, name, value: inputLike(emit, []) };
      all.push(made);
      return made.value;
    },
  };
}

/** What a step leaves for the next one: of every bucket its parameter, then its moments. */
export const stateOf = ({ buckets }: Pick<StepGraphs, "buckets">): readonly StateTensor[] =>
  buckets.flatMap(({ parameter, moments }) => [parameter, ...moments]);
