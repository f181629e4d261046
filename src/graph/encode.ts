/** Graph → the ONNX model that is run: short names, weights and large constants as inputs. */
import { invariant, type Refusal } from "../errors.ts";
import { toBytes } from "./bytes.ts";
import type { Graph, Node, Origin, TorchCall, Value } from "./graph.ts";
import {
  isGraph,
  type Naming,
  splitOp,
  writeModel,
  writeNode,
  writeTensor,
  writeValueInfo,
} from "./onnxProto.ts";
import { createProtoWriter, type ProtoWriter } from "./protobuf.ts";
import { inRunOrder, packOutputs } from "./runOrder.ts";
import { bytesOf, isHalf, type Numbers } from "./tensor.ts";

/** A model and what one must know to run it. Plain data: it can be sent to another thread. */
export interface EncodedModel {
  /** A ModelProto, its nodes not in the order of a file. Nodes are named by their index in `sources`. */
  readonly bytes: Uint8Array;
  /** Parameters, inputs and large constants that some node or output uses. */
  readonly fed: readonly FedValue[];
  /** The graph's outputs, each once. */
  readonly outputs: readonly EncodedOutput[];
  /** What the nodes came from, each followed by those of the graphs within it. */
  readonly sources: readonly (NodeSource | null)[];
}

export type FedValue = Pick<Value, "id" | "role" | "dtype" | "shape" | "data" | "name">;

export interface EncodedOutput extends FedValue {
  /** The model's output that holds it; null where no node makes it: it is fed or a constant. */
  readonly tensor: string | null;
  /** Which element of `tensor` it is; null: all. */
  readonly index: number | null;
}

/** The torch call that a node belongs to, as a message names it. */
export interface NodeSource {
  /** Last part of PyTorch's name. */
  readonly op: string;
  readonly direction: Origin["direction"];
  readonly module: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly refusal?: Refusal;
}

export interface EncodeOptions {
  /** Constants of more bytes are fed, so that the model stays small and is not copied with them. */
  readonly inlineLimitBytes?: number;
  /** Outputs that have a tensor of their own, however small they are. */
  readonly apart?: ReadonlySet<Value>;
}

const defaultInlineLimitBytes = 1024;

/** What a fed value is called in an encoded model. */
export const tensorName = (value: Pick<Value, "id">): string => `v${value.id}`;

export function encodeModel(graph: Graph, options: EncodeOptions = {}): EncodedModel {
  const limit = options.inlineLimitBytes ?? defaultInlineLimitBytes;
  const used = usedFromOutside(graph);
  const isInitializer = (value: Value): boolean =>
    value.role === "constant" && value.data !== null && storedBytes(value) <= limit;
  const fed = used.filter((value) => !isInitializer(value));
  const outputs = [...new Set(graph.outputs)];
  const made = outputs.filter((value) => value.role === "node");
  const mayPack = made.filter((value) => !options.apart?.has(value));
  const { nodes, packed } = packOutputs(graph.nodes, mayPack);
  const given = [...new Set(made.map((value) => packed.get(value)?.pack ?? value))];
  const wide = float32Twins(fed, given);

  const initializers = createInitializers(used.filter(isInitializer));
  const all = withNested(graph.nodes);
  const indexOf = new Map(all.map((node, index) => [node, String(index)] as const));
  const naming: Naming = {
    value: (value) =>
      wide.has(value) ? `h${value.id}` : (initializers.nameOf(value) ?? tensorName(value)),
    node: (node) => indexOf.get(node) ?? null,
  };
  const out = createProtoWriter();
  const writeGraph = (): void => {
    for (const node of inRunOrder(withCasts(nodes, fed, wide))) writeNode(out, node, naming);
    out.string(2, "graph");
    initializers.write(out);
    for (const value of fed) writeValueInfo(out, 11, tensorName(value), wide.get(value) ?? value);
    for (const value of given) writeValueInfo(out, 12, tensorName(value), wide.get(value) ?? value);
  };
  const domains = new Set(all.map(({ op }) => splitOp(op).domain));
  domains.delete("");
  writeModel(out, writeGraph, {}, [...domains]);
  return {
    bytes: out.finish(),
    fed: fed.map(plain),
    outputs: outputs.map((value) => {
      const at = packed.get(value);
      const tensor = value.role === "node" ? tensorName(at?.pack ?? value) : null;
      return encodedOutput(value, tensor, at?.index ?? null);
    }),
    sources: sourcesOf(all),
  };
}

/**
 * Half-precision values are fed and given out as float32, which holds them exactly: the runtime's
 * JavaScript side has no arrays for them.
 */
function float32Twins(...boundaries: (readonly Value[])[]): ReadonlyMap<Value, Value> {
  const halves = boundaries.flat().filter((value) => isHalf(value.dtype));
  return new Map(halves.map((value) => [value, { ...value, dtype: "float32" as const }]));
}

function withCasts(
  nodes: readonly Node[],
  fed: readonly Value[],
  wide: ReadonlyMap<Value, Value>,
): Node[] {
  if (wide.size === 0) return [...nodes];
  const cast = (from: Value, to: Value): Node => ({
    op: "Cast",
    inputs: [from],
    outputs: [to],
    attrs: { to: to.dtype },
    origin: { direction: "forward", call: null, group: null },
  });
  const narrowed = fed.flatMap((value) => {
    const twin = wide.get(value);
    return twin ? [cast(twin, value)] : [];
  });
  const widened = (node: Node): Node[] =>
    node.outputs.flatMap((value) => {
      const twin = wide.get(value);
      return twin ? [cast(value, twin)] : [];
    });
  return [...narrowed, ...nodes.flatMap((node) => [node, ...widened(node)])];
}

const storedBytes = (value: Value): number => (value.data?.length ?? 0) * bytesOf[value.dtype];

const encodedOutput = (
  { id, role, dtype, shape, data, name }: Value,
  tensor: string | null,
  index: number | null,
): EncodedOutput => ({ id, role, dtype, shape, data, name, tensor, index });

const plain = ({ id, role, dtype, shape, data, name }: Value): FedValue => ({
  id,
  role,
  dtype,
  shape,
  data,
  name,
});

/** Every value that nodes or outputs use and no node makes, in the order of its first use. */
function usedFromOutside(graph: Graph): Value[] {
  const used = new Set<Value>();
  const visit = ({ nodes, outputs }: Graph, inner: ReadonlySet<Value>): void => {
    const use = (value: Value | null): void => {
      if (value !== null && value.role !== "node" && !inner.has(value)) used.add(value);
    };
    for (const node of nodes) {
      node.inputs.forEach(use);
      for (const attribute of Object.values(node.attrs))
        if (isGraph(attribute)) visit(attribute, new Set([...inner, ...attribute.inputs]));
    }
    outputs.forEach(use);
  };
  visit(graph, new Set());
  return [...used];
}

/** Constants inside the model; those with the same type and numbers are written once. */
function createInitializers(constants: readonly Value[]) {
  const names = new Map<Value, string>();
  const first = new Map<string, Value>();
  for (const value of constants) {
    const bytes = toBytes({ dtype: value.dtype, data: dataOf(value) });
    const key = `${value.dtype}[${value.shape.join()}]${bytes.join()}`;
    const same = first.get(key) ?? value;
    first.set(key, same);
    names.set(value, tensorName(same));
  }
  return {
    nameOf: (value: Value): string | null => names.get(value) ?? null,
    write(out: ProtoWriter): void {
      for (const value of first.values())
        writeTensor(out, 5, tensorName(value), { ...value, data: dataOf(value) });
    },
  };
}

function dataOf(value: Value): Numbers {
  invariant(value.data, `the constant ${value.id} has no numbers`);
  return value.data;
}

/** Nodes, each followed by those of the graphs within it. */
const withNested = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => [
    node,
    ...Object.values(node.attrs).flatMap((attribute) =>
      isGraph(attribute) ? withNested(attribute.nodes) : [],
    ),
  ]);

function sourcesOf(nodes: readonly Node[]): (NodeSource | null)[] {
  const known = { forward: new Map(), backward: new Map(), statistic: new Map() } satisfies Record<
    Origin["direction"],
    Map<TorchCall, NodeSource>
  >;
  return nodes.map(({ origin: { call, direction, refusal } }) => {
    if (call === null) return null;
    const source = known[direction].get(call) ?? sourceOf(call, direction);
    known[direction].set(call, source);
    return refusal && direction === "forward" ? { ...source, refusal } : source;
  });
}

const sourceOf = (call: TorchCall, direction: Origin["direction"]): NodeSource => ({
  op: call.op,
  direction,
  module: call.module,
  file: call.site.file,
  line: call.site.line,
  column: call.site.column,
});
