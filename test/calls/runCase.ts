/** Runs a case: as a step (arguments enter the graph), or in construction (all numbers known). */
import { addGradients } from "../../src/autodiff/addGradients.ts";
import { createEvaluator } from "../../src/engine/evaluateOnDemand.ts";
import { invariant } from "../../src/errors.ts";
import type { Graph, Value } from "../../src/graph/graph.ts";
import { type HostArray, isFloat, numel } from "../../src/graph/tensor.ts";
import { castTo, reshapeTo } from "../../src/ops/write.ts";
import { createRuntime } from "../../src/runtime/run.ts";
import { type Arg, dtypeNamed } from "../../src/trace/arguments.ts";
import type { AnyCall, Given } from "../../src/trace/call.ts";
import * as definitions from "../../src/trace/calls/index.ts";
import { runCall } from "../../src/trace/dispatch.ts";
import { typeOf } from "../../src/trace/promotion.ts";
import { beginStep, createSession, type Session } from "../../src/trace/session.ts";
import type { Tensor } from "../../src/trace/tensor.ts";
import { type Case, decode, type EncodedTensor, numbersOf } from "./cases.ts";
import { runOnHost } from "./runOnHost.ts";

const runtime = createRuntime({ threads: 1 });
const specs = Object.values(definitions as Record<string, unknown>).filter(isCall);

function isCall(value: unknown): value is AnyCall {
  return typeof value === "object" && value !== null && "params" in value && "build" in value;
}

/** The call of a full name: torch.softmax, torch.Tensor.relu_. */
export function callNamed(name: string): { spec: AnyCall; called: string } {
  const at = name.lastIndexOf(".");
  const called = name.slice(at + 1);
  const place = name.slice(0, at).replace(/^torch\.Tensor$/, "Tensor");
  const spec = specs.find(
    (one) =>
      (one.in as readonly string[]).includes(place) &&
      (one.name === called || (one.inPlace === true && `${one.name}_` === called)),
  );
  if (!spec) throw new Error(`${name} is not declared`);
  return { spec, called };
}

export interface Answer {
  readonly results: readonly Result[];
  readonly gradients: readonly (Result | null)[];
  /** The tensors among the arguments as the call leaves them. */
  readonly after: readonly Result[];
}

export interface Result {
  readonly type: string;
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}

export async function runCase(one: Case, mode: "step" | "construction"): Promise<Answer> {
  const session = createSession({ evaluate: createEvaluator(runOnHost) });
  const leaves: Tensor[] = [];
  const made: Tensor[] = [];
  const args = one.args.map((arg) => decode(arg, makeTensor));
  const keywords = new Map<string, Arg>();
  for (const [key, arg] of Object.entries(one.kwargs)) keywords.set(key, decode(arg, makeTensor));
  if (mode === "step") beginStep(session, []);
  const given = call(session, one, args, keywords);
  const outputs = flat(given);
  const values = outputs.map((tensor) => session.store.read(tensor));
  const left = one.after ? made.map((tensor) => session.store.read(tensor)) : [];
  const gradients = mode === "step" ? gradientsOf(session, values, leaves) : [];
  const wanted = [...values, ...left, ...gradients.filter((value) => value !== null)];
  const graph = { inputs: session.graphInputs, nodes: session.emit.nodes, outputs: [] };
  const arrays = await numbersOfAll(graph, wanted);
  const described = (tensor: Tensor, value: Value): Result => ({
    type: typeOf(tensor),
    shape: tensor.shape,
    data: (arrays.get(value.id) as HostArray).data,
  });
  return {
    results: values.map((value, at) => described(outputs[at] as Tensor, value)),
    gradients: gradients.map((value, at) => value && described(leaves[at] as Tensor, value)),
    after: left.map((value, at) => described(made[at] as Tensor, value)),
  };

  function makeTensor(encoded: EncodedTensor): Tensor {
    const tensor = session.store.fromNumbers(
      dtypeNamed(encoded.tensor),
      encoded.shape,
      numbersOf(encoded),
    );
    made.push(tensor);
    if (mode === "construction") return tensor;
    tensor.entersAs = encoded.grad ? "parameter" : "input";
    tensor.leafRequiresGrad = encoded.grad === true;
    if (encoded.grad) leaves.push(tensor);
    return tensor;
  }
}

function call(session: Session, one: Case, args: Arg[], keywords: Map<string, Arg>): Given {
  const { spec, called } = callNamed(one.name);
  if (!one.edits) return runCall(session, spec, called, { positional: args, keywords });
  const copy = callNamed("torch.clone");
  const cloned = (arg: Arg): Arg => {
    if (Array.isArray(arg)) return (arg as readonly Arg[]).map(cloned);
    if (typeof arg !== "object" || arg === null || !("storage" in arg)) return arg;
    return runCall(session, copy.spec, "clone", {
      positional: [arg],
      keywords: new Map(),
    }) as Tensor;
  };
  return runCall(session, spec, called, { positional: args.map(cloned), keywords });
}

function flat(given: Given): Tensor[] {
  if (given === null) return [];
  return Array.isArray(given) ? given.flatMap(flat) : [given as Tensor];
}

/** Of the sum of all float results, each times weights that the recording script has too. */
function gradientsOf(
  session: Session,
  results: readonly Value[],
  leaves: readonly Tensor[],
): (Value | null)[] {
  const { emit } = session;
  const parts = results.filter(({ dtype, requiresGrad }) => isFloat(dtype) && requiresGrad);
  if (parts.length === 0) return leaves.map(() => null);
  const sums = parts.map((value) => {
    const wide = value.dtype === "float64" ? value : castTo(emit, value, "float32");
    const count = numel(value.shape);
    const data = wide.dtype === "float64" ? new Float64Array(count) : new Float32Array(count);
    for (let i = 0; i < count; i++) data[i] = (((i * 7) % 11) - 5) / 4 + 0.125;
    const weights = emit.constant({ dtype: wide.dtype, shape: [count], data });
    const product = emit.op("Mul", [reshapeTo(emit, wide, [count]), weights]);
    return castTo(emit, emit.op("ReduceSum", [product, null], { keepdims: 0 }), "float64");
  });
  const loss = sums.reduce((sum, part) => emit.op("Add", [sum, part]));
  const graph = { inputs: session.graphInputs, nodes: [...emit.nodes], outputs: [] };
  const { gradientOf } = addGradients(graph, loss, emit);
  return leaves.map((leaf) => {
    const value = session.entered.get(leaf.id);
    return value ? gradientOf(value) : null;
  });
}

async function numbersOfAll(
  graph: Graph,
  values: readonly Value[],
): Promise<Map<number, HostArray>> {
  const known = new Map<number, HostArray>();
  const made = values.filter((value) => {
    if (value.role === "node") return true;
    invariant(value.data, "a value that no node makes has numbers");
    known.set(value.id, { dtype: value.dtype, shape: value.shape, data: value.data });
    return false;
  });
  if (made.length > 0) {
    const arrays = await runtime.evaluateGraph(graph, made);
    made.forEach((value, at) => {
      known.set(value.id, arrays[at] as HostArray);
    });
  }
  return known;
}
