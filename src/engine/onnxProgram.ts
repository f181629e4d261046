/** An ONNX file → the same program as a trace gives: its nodes are its torch calls. */
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { externalDataMissing, externalDataOutside, invariant } from "../errors.ts";
import { decodeModel } from "../graph/decode.ts";
import type { Graph, Node, TorchCall, Value } from "../graph/graph.ts";
import { allocate, isFloat, type Numbers, numel } from "../graph/tensor.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { inferNode } from "../ops/inferNode.ts";
import { createGenerator, type FloatType, fill, type Generator } from "../random/generator.ts";
import type { TracedProgram, TracedValue } from "../trace/program.ts";
import type { TracedScript } from "../trace/traceScript.ts";

/** Sizes of axes that the file only names. */
const sizes: Readonly<Record<string, number>> = new Proxy(
  {},
  { get: (_target, name) => (/batch|^n$/i.test(String(name)) ? 2 : 16), has: () => true },
);

export function onnxProgram(path: string, seed: number): TracedScript {
  const graph = decodeModel(readFileSync(path), {
    loadExternal: externalReader(dirname(path)),
    inferTypes: inferNode,
    sizes,
  });
  const emit = createEmitter({ mayFold: () => false });
  const generator = createGenerator(seed);
  const rules: Record<string, string> = {};
  const made = new Map<number, Value>();
  const feed = (value: Value): Value => {
    const isParameter = value.role === "parameter";
    const { data, rule } = isParameter
      ? { data: value.data, rule: "" }
      : madeUp(graph, value, generator);
    if (!isParameter) rules[value.name ?? ""] = rule;
    return emit.input(value, {
      role: isParameter ? "parameter" : "input",
      name: value.name,
      requiresGrad: isParameter && isFloat(value.dtype),
      data,
    });
  };
  for (const value of graph.inputs) made.set(value.id, feed(value));
  const calls = rewrite(graph, emit, made, basename(path));
  const inputs = graph.inputs.map((value) => made.get(value.id) ?? value);
  const { loss, rule } = lossOf(graph, emit, made);
  return {
    program: programOf(emit, inputs, calls, loss),
    made: { plan: null, lossRule: rule, inputRules: rules, weights: null, vocabulary: null },
    emit,
    hooks: {},
    fills: [],
    masks: [],
    looks: [],
  };
}

/** Writes the file's nodes anew, so that types and what requires a gradient follow from the inputs. */
function rewrite(
  graph: Graph,
  emit: Emitter,
  made: Map<number, Value>,
  file: string,
): ReadonlyMap<TorchCall, readonly Value[]> {
  const results = new Map<TorchCall, readonly Value[]>();
  for (const [index, node] of graph.nodes.entries()) {
    const call = node.origin.call ?? callOf(node, index, file);
    emit.origin = { direction: "forward", call, group: null };
    const inputs = node.inputs.map(
      (value) => value && (made.get(value.id) ?? constantOf(emit, value)),
    );
    const outputs = emit.ops(node.op, inputs, node.attrs, outputsOf(node));
    node.outputs.forEach((value, at) => {
      made.set(value.id, outputs[at] as Value);
    });
    results.set(call, outputs.slice(0, 1));
  }
  return results;
}

function constantOf(emit: Emitter, { dtype, shape, data }: Value): Value {
  invariant(data, "what nothing makes is a constant");
  return emit.constant({ dtype, shape, data });
}

/** The gradient of a LayerNormalization needs the mean and the deviation that files leave out. */
const outputsOf = ({ op, outputs }: Node): number =>
  op === "LayerNormalization" ? 3 : outputs.length;

/** A node of a file that says nothing of its source: its place is its number in the file. */
const callOf = (node: Node, index: number, file: string): TorchCall => ({
  id: index,
  op: node.op,
  site: { file, line: index + 1, column: 0, endLine: index + 1, endColumn: 0, function: "" },
  module: null,
  moduleCall: 0,
});

function lossOf(graph: Graph, emit: Emitter, made: ReadonlyMap<number, Value>) {
  const outputs = graph.outputs.map((value) => made.get(value.id) ?? value);
  const own = outputs.find((value) => isFloat(value.dtype) && numel(value.shape) === 1);
  if (own) return { loss: own, rule: "the file's own" };
  const first = outputs.find((value) => isFloat(value.dtype)) ?? (outputs[0] as Value);
  emit.origin = { direction: "forward", call: null, group: null };
  const squares = emit.op("Mul", [first, first]);
  return { loss: emit.op("ReduceMean", [squares], { keepdims: 0 }), rule: "mean of squares" };
}

function programOf(
  emit: Emitter,
  fed: readonly Value[],
  calls: ReadonlyMap<TorchCall, readonly Value[]>,
  loss: Value,
): TracedProgram {
  const values = [...calls].flatMap(([call, outputs]) =>
    outputs.map(
      (value, output): TracedValue => ({ ...tensorOf(value), call, output, fromScript: false }),
    ),
  );
  return {
    graph: { inputs: fed, nodes: emit.nodes, outputs: [loss] },
    loss,
    mode: "eval",
    backward: loss.requiresGrad,
    values,
    modules: [],
    parameters: fed
      .filter(({ role }) => role === "parameter")
      .map((value) => ({
        name: value.name ?? "",
        aliases: [],
        shape: value.shape,
        dtype: value.dtype,
        requiresGrad: value.requiresGrad,
        value,
        data: value.data,
      })),
    inputs: fed
      .filter(({ role }) => role === "input")
      .map((value) => ({ name: value.name ?? "", value, dtype: value.dtype, shape: value.shape })),
    norms: [],
    attention: [],
    branches: [],
    gaps: [],
    missed: [],
  };
}

const tensorOf = (value: Value) => ({
  value,
  dtype: value.dtype,
  shape: value.shape,
  masked: false,
});

/** Normal numbers, or indices that every table they are used on has. */
function madeUp(graph: Graph, value: Value, generator: Generator): { data: Numbers; rule: string } {
  const data = allocate(value.dtype, numel(value.shape));
  const { dtype } = value;
  if (isFloat(dtype)) {
    fill(generator, "normal", data, { mean: 0, std: 1, dtype: dtype as FloatType });
    return { data, rule: "normal numbers" };
  }
  if (dtype === "bool") return { data: data.fill(1), rule: "true" };
  const rows = graph.nodes
    .filter(({ op, inputs }) => op === "Gather" && inputs[1]?.id === value.id)
    .map(({ inputs, attrs }) => inputs[0]?.shape[Number(attrs["axis"] ?? 0)] ?? 2);
  const high = Math.max(1, Math.min(...rows, 2 ** 20));
  fill(generator, "randint", data, { low: 0, high: rows.length > 0 ? high : 2, dtype });
  return { data, rule: `integers below ${rows.length > 0 ? high : 2}` };
}

/** External data lies in the model's own folder: a path that leaves it is refused. */
function externalReader(folder: string) {
  return (name: string, offset: number, length: number): Uint8Array => {
    const path = join(folder, name);
    const root = realpathSync(folder) + sep;
    if (!path.startsWith(folder + sep)) throw externalDataOutside(name);
    if (!existsSync(path)) throw externalDataMissing(name);
    if (!realpathSync(path).startsWith(root)) throw externalDataOutside(name);
    const file = openSync(path, "r");
    try {
      const bytes = new Uint8Array(length);
      if (readSync(file, bytes, 0, length, offset) < length) throw externalDataMissing(name);
      return bytes;
    } finally {
      closeSync(file);
    }
  };
}
