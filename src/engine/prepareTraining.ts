/** A traced model and its settings → the graphs of a step, and what is fed to them at each. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fuseForCpu } from "../fuse/fuse.ts";
import type { EncodedModel } from "../graph/encode.ts";
import type { Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { bytesOf, type Numbers, numel } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import type { TrainRequest } from "../protocol/training.ts";
import { encodeForRun } from "../runtime/encodeForRun.ts";
import type { TrainingModels } from "../runtime/training.ts";
import type { LoopModel } from "../runtime/trainingLoop.ts";
import type { Feeds, StateSlot } from "../runtime/trainingParts.ts";
import { findStructure, type Structure } from "../stats/structure.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import { buildStep, type StateTensor, type StepGraphs, stateOf } from "../train/buildStep.ts";
import { checkSettings } from "../train/checkSettings.ts";
import { badTaskFile, nothingToTrain, scriptHasTask, trainsFloat32 } from "../train/errors.ts";
import { type Bucket, type Layout, layOut } from "../train/layout.ts";
import { type LoopGraph, loopSteps, type Scanned, type Stacked } from "../train/loopSteps.ts";
import { parameterRoles } from "../train/parameterRoles.ts";
import { createReader, type StepReader } from "../train/readStep.ts";
import { createTask, type Task } from "../train/tasks/index.ts";
import { differentiate } from "./differentiate.ts";
import type { StepSizes, StepsPerCall } from "./stepsPerCall.ts";

export interface PreparedTraining {
  readonly layout: Layout;
  readonly structure: Structure;
  readonly blocks: readonly string[];
  readonly graphs: StepGraphs;
  readonly models: TrainingModels;
  readonly calls: StepsPerCall;
  readonly reader: StepReader;
  readonly task: Task | null;
  /** A batch by the names of the model's arguments. */
  batchOf(index: number): ReadonlyMap<string, Numbers>;
  readonly sha256: string;
  readonly nodes: number;
  /** Batch `index` as the graph's inputs, with what was drawn for it. */
  feeds(index: number, drawn: readonly Numbers[]): Feeds;
  coefficients(step: number, lr: number): Feeds;
}

export interface PrepareOptions {
  /** Updates that each parameter has had, by name: each is a bucket of its own. */
  readonly taken?: ReadonlyMap<string, number>;
  /** Default: a step is a run. */
  callsOf?(sizes: StepSizes): StepsPerCall;
  /** Graphs of what the CPU has fast kernels for, which take a while to make; default: false. */
  readonly fused?: boolean;
}

/** The parameters must be filled. */
export function prepareTraining(
  request: TrainRequest,
  traced: TracedScript,
  { taken, callsOf = () => ({ most: 1, least: 1 }), fused = false }: PrepareOptions = {},
): PreparedTraining {
  const { training } = request;
  const { program, emit, draws } = traced;
  checkSettings(training);
  const { graph, gradientOf } = differentiate(traced);
  const structure = findStructure(program);
  const found = structure.blocks;
  const paths = [...new Set(found.map(({ path }) => path))];
  const roleOf = parameterRoles(prune(program.graph).nodes);
  const reading = { gradientOf, roleOf };
  const layout = layOut(program.parameters, reading, paths, training.optimizer, taken ?? null);
  if (layout.trained.length === 0) throw nothingToTrain();
  for (const { name, value } of layout.trained)
    if (value.dtype !== "float32") throw trainsFloat32(name, value.dtype);
  const streams = found.map(({ output }) => output);
  const graphs = buildStep({
    nodes: graph.nodes,
    inputs: graph.inputs,
    loss: program.loss,
    emit,
    layout,
    streams,
    ...training,
  });
  const task = taskOf(request, traced);
  const roles = task === null ? [] : rolesOf(traced);
  const perBatch = [...roles, ...draws].map(({ value }) => value);
  const { accumulate } = training;
  const calls = callsOf({
    state: bytesOfAll(stateOf(graphs).map(({ input }) => input)),
    fed: accumulate * bytesOfAll(perBatch),
  });
  const { most } = calls;
  const plain = encodedOf(graphs);
  const run = fused ? fusedSteps(emit, graphs) : graphs;
  const loop = most === 1 ? null : loopSteps({ emit, graphs: run, perBatch, accumulate, most });
  const models = {
    ...(fused && loop === null ? encodedOf(run) : plain),
    ...slotsOf(layout, graphs),
    loop: loop && loopModel(loop, most),
  };
  return {
    layout,
    structure,
    blocks: blockNames(found.map(({ path }) => path)),
    graphs,
    models,
    calls,
    reader: createReader(layout, graphs.numbers, streams),
    task,
    sha256: hashOf(plain),
    nodes: graphs.step.nodes.length + (graphs.update?.nodes.length ?? 0),
    batchOf(index) {
      const batch = task?.batch(index);
      return new Map(
        roles.flatMap(({ name, role }) => (batch === undefined ? [] : [[name, batch[role]]])),
      );
    },
    feeds(index, drawn) {
      const batch = task?.batch(index);
      return new Map([
        ...roles.map(({ value, role }): [number, Numbers] => [
          value.id,
          batch?.[role] ?? new Float64Array(0),
        ]),
        ...draws.map(({ value }, at): [number, Numbers] => [
          value.id,
          drawn[at] ?? new Float32Array(0),
        ]),
      ]);
    },
    coefficients: (step, lr) =>
      new Map(
        graphs.coefficients.map(({ bucket, name, value }) => {
          const own = bucket.taken === null ? step : bucket.taken + 1;
          const all = bucket.optimiser.coefficients(own, lr, bucket.weightDecay);
          return [value.id, Float32Array.of(all[name] ?? Number.NaN)];
        }),
      ),
  };
}

/** "blocks.0", and "blocks.0 (2)" for its second call. */
function blockNames(paths: readonly string[]): string[] {
  const calls = new Map<string, number>();
  return paths.map((path) => {
    const call = (calls.get(path) ?? 0) + 1;
    calls.set(path, call);
    return call === 1 ? path : `${path} (${call})`;
  });
}

function slotsOf({ buckets }: Layout, graphs: StepGraphs) {
  const slot = ({ input, output }: StateTensor, data: Numbers | null): StateSlot => {
    return { input: input.id, output: output.id, shape: input.shape, data };
  };
  return {
    state: graphs.buckets.flatMap(({ parameter, moments }, at) => [
      slot(parameter, numbersOf(buckets[at] as Bucket)),
      ...moments.map((moment) => slot(moment, null)),
    ]),
    accumulators: graphs.accumulators.map((sum) => slot(sum, null)),
  };
}

type EncodedSteps = Pick<TrainingModels, "step" | "update">;

function encodedOf(graphs: StepGraphs): EncodedSteps {
  const apart = outputsOf([...stateOf(graphs), ...graphs.accumulators]);
  return {
    step: encodeForRun(graphs.step, { apart }),
    update: graphs.update && encodeForRun(graphs.update, { apart }),
  };
}

const bytesOfAll = (values: readonly Value[]): number =>
  values.reduce((sum, { dtype, shape }) => sum + numel(shape) * bytesOf[dtype], 0);

const outputsOf = (state: readonly StateTensor[]): ReadonlySet<Value> =>
  new Set(state.map(({ output }) => output));

function loopModel(loop: LoopGraph, most: number): LoopModel {
  const ids = (stacked: readonly Stacked[]) =>
    new Map(stacked.map(({ value, stack }) => [value.id, stack.id]));
  const scanned = ({ scan, values }: Scanned) => {
    return { scan: scan.id, values: values.map(({ id, shape }) => ({ id, size: numel(shape) })) };
  };
  return {
    model: encodeForRun(loop.graph, { apart: outputsOf(loop.state) }),
    most,
    count: loop.count.id,
    batches: ids(loop.batches),
    coefficients: ids(loop.coefficients),
    state: loop.state.map(({ input, output }) => ({ input: input.id, output: output.id })),
    ofBatch: scanned(loop.ofBatch),
    ofStep: scanned(loop.ofStep),
  };
}

function numbersOf({ members, size }: Bucket): Float32Array {
  const numbers = new Float32Array(size);
  let at = 0;
  for (const { value, size: own } of members) {
    if (value.data) numbers.set(value.data, at);
    at += own;
  }
  return numbers;
}

const fusedSteps = (emit: Emitter, graphs: StepGraphs): StepGraphs => ({
  ...graphs,
  step: fuseForCpu(emit, graphs.step),
  update: graphs.update && fuseForCpu(emit, graphs.update),
});

/** Of one step: however many a run takes and wherever it runs, they are the same. */
function hashOf({ step, update }: EncodedSteps): string {
  const hash = createHash("sha256");
  for (const model of [step, update] as (EncodedModel | null)[])
    if (model !== null) hash.update(model.bytes);
  return hash.digest("hex");
}

/** What python/torch/_plan.py calls targets. */
const targetNames = new Set(["targets", "target", "labels", "label", "y"]);

/** Which inputs of the graph a batch replaces, and by what. */
function rolesOf({ program, made }: TracedScript) {
  const shiftsItself = made.lossRule === "forward's own";
  return program.inputs
    .filter(({ dtype, shape }) => dtype === "int64" && shape.length === 2)
    .map(({ name, value }): { name: string; value: Value; role: "tokens" | "targets" } => {
      const isShifted = name === "labels" && shiftsItself;
      return { name, value, role: targetNames.has(name) && !isShifted ? "targets" : "tokens" };
    });
}

function taskOf({ training, file }: TrainRequest, { program, made }: TracedScript): Task | null {
  if (training.task === null) return null;
  const tokens = program.inputs.find(({ shape, dtype }) => dtype === "int64" && shape.length === 2);
  if (made.vocabulary === null || !tokens) throw scriptHasTask(file);
  const [batch = 1, seq = 1] = tokens.shape;
  const size = { batch, seq, vocabulary: made.vocabulary };
  return createTask(training.task, size, (path) => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw badTaskFile(path, error instanceof Error ? error.message : String(error));
    }
  });
}
