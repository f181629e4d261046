/** An ONNX file → the same program as a trace gives: its nodes are its torch calls. */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import {
  externalDataMissing,
  externalDataOutside,
  invariant,
  onnxUnsupported,
  unknownOps,
} from "../errors.ts";
import { decodeModel } from "../graph/decode.ts";
import type { Graph, Node, TorchCall, Value } from "../graph/graph.ts";
import { allocate, isFloat, type Numbers, numel } from "../graph/tensor.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { inferNode } from "../ops/inferNode.ts";
import { opNamed, opTypes } from "../ops/registry.ts";
import { createGenerator, type FloatType, fill, type Generator } from "../random/generator.ts";
import type { TracedGap, TracedProgram, TracedValue } from "../trace/program.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import { buffersOf, checkOperators, checkSize, foldNode, missingRules } from "./onnxNodes.ts";

/** Sizes of axes that the file only names. */
const sizes: Readonly<Record<string, number>> = new Proxy(
  {},
  { get: (_target, name) => (/batch|^n$/i.test(String(name)) ? 2 : 16), has: () => true },
);

/** Source files below `root` are named from it. */
export function onnxProgram(path: string, seed: number, root = dirname(path)): TracedScript {
  const graph = decodeModel(readFileSync(path), {
    loadExternal: externalReader(dirname(path)),
    inferTypes,
    fold: foldNode,
    sizes,
  });
  checkOperators(graph.nodes);
  for (const value of graph.inputs) checkSize(value);
  const buffers = buffersOf(graph);
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
      requiresGrad: isParameter && isFloat(value.dtype) && !buffers.has(value.id),
      data,
    });
  };
  for (const value of graph.inputs) made.set(value.id, feed(value));
  const calls = rewrite(graph, emit, made, { root, name: basename(path) });
  const inputs = graph.inputs.map((value) => made.get(value.id) ?? value);
  const { loss, rule } = lossOf(graph, emit, made);
  const gaps = missingRules(emit.nodes);
  return {
    program: programOf(emit, inputs, calls, loss, gaps),
    made: {
      ...{ plan: null, lossRule: rule, inputRules: rules, weights: null, vocabulary: null },
      files: [],
    },
    emit,
    hooks: {},
    accumulated: () => new Map(),
    printed: () => [],
    seenWithin: new Map(),
    hooked: new Map(),
    fills: [],
    draws: [],
    drawnFrom: createGenerator(0).getState(),
    drawnTo: createGenerator(0).getState(),
    again: null,
    edited: [],
    looks: [],
  };
}

/** Writes the file's nodes anew, so that types and what requires a gradient follow from the inputs. */
function rewrite(
  graph: Graph,
  emit: Emitter,
  made: Map<number, Value>,
  file: { readonly root: string; readonly name: string },
): ReadonlyMap<TorchCall, readonly Value[]> {
  const results = new Map<TorchCall, readonly Value[]>();
  const placed = new Map<TorchCall, TorchCall>();
  const callIn = (node: Node, index: number): TorchCall => {
    const { call } = node.origin;
    if (call === null) return callOf(node, index, file.name);
    const known = placed.get(call) ?? placedBelow(call, file.root);
    placed.set(call, known);
    return known;
  };
  for (const [index, node] of graph.nodes.entries()) {
    const call = callIn(node, index);
    emit.origin = { direction: "forward", call, group: null };
    const inputs = node.inputs.map(
      (value) => value && (made.get(value.id) ?? constantOf(emit, value)),
    );
    const outputs = emit.ops(node.op, inputs, node.attrs, outputsOf(node));
    node.outputs.forEach((value, at) => {
      checkSize({ ...(outputs[at] as Value), name: value.name });
      made.set(value.id, outputs[at] as Value);
    });
    results.set(call, outputs.slice(0, 1));
  }
  return results;
}

/** Exporters write the absolute paths of the machine that they ran on. */
function placedBelow(call: TorchCall, root: string): TorchCall {
  const below = relative(root, call.site.file);
  const isBelow = isAbsolute(call.site.file) && !below.startsWith("..") && !isAbsolute(below);
  return isBelow ? { ...call, site: { ...call.site, file: below.replaceAll(sep, "/") } } : call;
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
  const first = outputs.find((value) => isFloat(value.dtype));
  if (first === undefined) throw onnxUnsupported("no output has floating-point numbers");
  emit.origin = { direction: "forward", call: null, group: null };
  const squares = emit.op("Mul", [first, first]);
  return { loss: emit.op("ReduceMean", [squares], { keepdims: 0 }), rule: "mean of squares" };
}

function programOf(
  emit: Emitter,
  fed: readonly Value[],
  calls: ReadonlyMap<TorchCall, readonly Value[]>,
  loss: Value,
  gaps: readonly TracedGap[],
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
    backward: loss.requiresGrad && gaps.length === 0,
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
    dropouts: [],
    branches: [],
    gaps,
    missed: [],
    loops: [],
    assumptions: [],
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

/** A node whose operator is not known is named with all others of its kind, later. */
const inferTypes = (node: Node) => {
  if (opNamed(node.op) === null)
    throw unknownOps([[node.op, node.outputs[0]?.name ?? ""]], opTypes());
  return inferNode(node);
};

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
      if (!(offset >= 0 && offset + length <= fstatSync(file).size))
        throw externalDataMissing(name);
      const bytes = new Uint8Array(length);
      readSync(file, bytes, 0, length, offset);
      return bytes;
    } finally {
      closeSync(file);
    }
  };
}
