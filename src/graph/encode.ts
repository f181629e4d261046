/** Graph → the ONNX model that is run: short names, weights and large constants as inputs. */
import { toBytes } from "./bytes.ts";
import { elementTypeOf } from "./elementType.ts";
import type { Graph, Node, Origin, Value } from "./graph.ts";
import { isGraph, writeModel, writeNode, writeTensor, writeValueInfo } from "./onnxProto.ts";
import { createProtoWriter, type ProtoWriter } from "./protobuf.ts";
import { bytesOf, isHalf } from "./tensor.ts";

/** A model and what one must know to run it. Plain data: it can be sent to another thread. */
export interface EncodedModel {
  /** A ModelProto. Values are named `tensorName(value)`, nodes by their index. */
  readonly bytes: Uint8Array;
  /** Parameters, inputs and large constants that some node or output uses, in the order of the inputs. */
  readonly fed: readonly FedValue[];
  /** The graph's outputs; those that no node makes are no outputs of the model. */
  readonly outputs: readonly FedValue[];
  /** What the nodes came from, by their index. */
  readonly sources: readonly (NodeSource | null)[];
}

export type FedValue = Pick<Value, "id" | "role" | "dtype" | "shape" | "data" | "name">;

/** The torch call that a node belongs to, as a message names it. */
export interface NodeSource {
  /** Last part of PyTorch's name. */
  readonly op: string;
  readonly direction: Origin["direction"];
  readonly module: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface EncodeOptions {
  /** Constants of more bytes are fed, so that the model stays small and is not copied with them. */
  readonly inlineLimitBytes?: number;
}

const defaultInlineLimitBytes = 1024;

/** What a fed value or an output is called in an encoded model. */
export const tensorName = (value: Pick<Value, "id">): string => `v${value.id}`;

/**
 * Half-precision values are fed and given out as float32, which holds them exactly: the runtime's
 * JavaScript side has no arrays for them.
 */
export function encodeModel(graph: Graph, options: EncodeOptions = {}): EncodedModel {
  const limit = options.inlineLimitBytes ?? defaultInlineLimitBytes;
  const used = usedFromOutside(graph);
  const isInitializer = (value: Value): boolean =>
    value.role === "constant" && value.data !== null && storedBytes(value) <= limit;
  const fed = used.filter((value) => !isInitializer(value));
  const outputs = [...new Set(graph.outputs)];
  const made = outputs.filter((value) => value.role === "node");
  const cast = new Set([...fed, ...made].filter((value) => isHalf(value.dtype)));

  const out = createProtoWriter();
  const initializers = createInitializers(out);
  for (const value of used) if (isInitializer(value)) initializers.add(value);
  const indexOf = new Map(graph.nodes.map((node, index) => [node, String(index)] as const));
  const naming = {
    value: (value: Value) =>
      cast.has(value) ? `h${value.id}` : (initializers.nameOf(value) ?? tensorName(value)),
    node: (node: Node) => indexOf.get(node) ?? null,
  };
  writeModel(out, () => {
    for (const value of fed)
      if (cast.has(value))
        writeCast(out, tensorName(value), naming.value(value), elementTypeOf[value.dtype]);
    for (const node of graph.nodes) writeNode(out, node, naming);
    for (const value of made)
      if (cast.has(value))
        writeCast(out, naming.value(value), tensorName(value), elementTypeOf.float32);
    out.string(2, "graph");
    initializers.write();
    for (const value of fed) writeValueInfo(out, 11, tensorName(value), boundaryType(value));
    for (const value of made) writeValueInfo(out, 12, tensorName(value), boundaryType(value));
  });
  return {
    bytes: out.finish(),
    fed: fed.map(plain),
    outputs: outputs.map(plain),
    sources: sourcesOf(graph),
  };
}

const storedBytes = (value: Value): number => (value.data?.length ?? 0) * bytesOf[value.dtype];

const boundaryType = (value: Value) => ({
  dtype: isHalf(value.dtype) ? ("float32" as const) : value.dtype,
  shape: value.shape,
});

const plain = ({ id, role, dtype, shape, data, name }: Value): FedValue => ({
  id,
  role,
  dtype,
  shape,
  data,
  name,
});

function writeCast(out: ProtoWriter, from: string, to: string, elementType: number): void {
  out.message(1, () => {
    out.string(1, from);
    out.string(2, to);
    out.string(4, "Cast");
    out.message(5, () => {
      out.string(1, "to");
      out.int(3, elementType);
      out.int(20, 2);
    });
  });
}

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
function createInitializers(out: ProtoWriter) {
  const names = new Map<Value, string>();
  const first = new Map<string, string>();
  const written: { readonly name: string; readonly value: Value }[] = [];
  return {
    add(value: Value): void {
      const bytes = toBytes({ dtype: value.dtype, data: value.data ?? new Float32Array() });
      const key = `${value.dtype}[${value.shape.join()}]${bytes.join()}`;
      const known = first.get(key);
      const name = known ?? tensorName(value);
      names.set(value, name);
      if (known !== undefined) return;
      first.set(key, name);
      written.push({ name, value });
    },
    nameOf: (value: Value): string | null => names.get(value) ?? null,
    write(): void {
      for (const { name, value } of written)
        if (value.data !== null) writeTensor(out, 5, name, { ...value, data: value.data });
    },
  };
}

function sourcesOf(graph: Graph): (NodeSource | null)[] {
  const known = new Map<string, NodeSource>();
  return graph.nodes.map(({ origin }) => {
    const { call, direction } = origin;
    if (call === null) return null;
    const key = `${direction} ${call.id}`;
    const source = known.get(key) ?? {
      op: call.op,
      direction,
      module: call.module,
      file: call.site.file,
      line: call.site.line,
      column: call.site.column,
    };
    known.set(key, source);
    return source;
  });
}
