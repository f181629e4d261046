/** Graph → the ONNX file that a user gets: readable names, weights, and where each node came from. */
import { exportTooLarge, invariant } from "../errors.ts";
import { createExternalLayout, storedBytes } from "./externalData.ts";
import type { Graph, Node, Value } from "./graph.ts";
import { type NameOptions, nameValues } from "./names.ts";
import { type MetadataOptions, metadataOf } from "./nodeMetadata.ts";
import {
  type Metadata,
  writeExternalTensor,
  writeModel,
  writeNode,
  writeTensor,
  writeValueInfo,
} from "./onnxProto.ts";
import { createProtoWriter, type ProtoWriter } from "./protobuf.ts";
import { prune, valuesUsedBy } from "./prune.ts";
import type { HostArray } from "./tensor.ts";

export interface ExportOptions extends NameOptions, MetadataOptions {
  /** "auto": external where the file would pass 2 GB, which protobuf cannot hold. */
  readonly weights: "auto" | "inside" | "external";
  /** Name of the file with the weights, in the model's own folder. */
  readonly externalName: string;
  /** Of the model as a whole. */
  readonly metadata?: Metadata;
  /** Sizes that are names: see `unify`. */
  readonly dims?: ReadonlyMap<Value, readonly (number | string)[]>;
}

export interface ExportedModel {
  /** A ModelProto. */
  readonly bytes: Uint8Array;
  /** What belongs into the file `externalName`, piece by piece; null: there is no such file. */
  readonly external: Iterable<Uint8Array> | null;
}

/** Protobuf's limit is 2 GiB; the rest is for what is not weights. */
const insideLimitBytes = 2 ** 31 - 2 ** 26;
/** Smaller tensors stay in the model. */
const externalFromBytes = 1024;

/** Parameters and constants must have their numbers. */
export function exportModel(graph: Graph, options: ExportOptions): ExportedModel {
  const { inputs, nodes, outputs } = withOwnOutputs(prune(graph));
  const initializers = [...new Set(nodes.flatMap(valuesUsedBy))]
    .filter(({ role }) => role === "parameter" || role === "constant")
    .map((value) => ({ value, array: arrayOf(value) }));
  const external = needsExternalFile(initializers, options.weights) ? createExternalLayout() : null;

  const names = nameValues({ inputs, nodes, outputs }, options);
  const nameOf = (value: Value): string => names.get(value) ?? `v${value.id}`;
  const naming = {
    value: nameOf,
    node: ({ outputs: [first] }: Node) => (first === undefined ? null : nameOf(first)),
  };
  const typeOf = (value: Value) => ({
    dtype: value.dtype,
    shape: options.dims?.get(value) ?? value.shape,
  });
  const out = createProtoWriter();
  const writeGraph = (): void => {
    for (const node of nodes) writeNode(out, node, naming, metadataOf(node, options));
    out.string(2, "graph");
    for (const { value, array } of initializers) {
      const isExternal = external !== null && storedBytes(array) >= externalFromBytes;
      const location = isExternal ? external.place(array) : null;
      writeInitializer(out, nameOf(value), value, array, location, options.externalName);
    }
    for (const value of inputs)
      if (value.role === "input") writeValueInfo(out, 11, nameOf(value), typeOf(value));
    for (const value of outputs) writeValueInfo(out, 12, nameOf(value), typeOf(value));
    const isOutput = new Set(outputs);
    for (const value of nodes.flatMap((node) => node.outputs))
      if (!isOutput.has(value)) writeValueInfo(out, 13, nameOf(value), typeOf(value));
  };
  writeModel(out, writeGraph, options.metadata);
  return { bytes: out.finish(), external: external?.pieces() ?? null };
}

/** In metadata_props of a tensor: what it was in the source. */
export const roleKey = "normscope.role";

function writeInitializer(
  out: ProtoWriter,
  name: string,
  value: Value,
  array: HostArray,
  location: { readonly offset: number; readonly length: number } | null,
  file: string,
): void {
  const metadata = { [roleKey]: value.role };
  if (location === null) writeTensor(out, 5, name, array, metadata);
  else writeExternalTensor(out, 5, name, array, { file, ...location }, metadata);
}

/** ONNX wants each output once and made by a node. */
function withOwnOutputs(graph: Graph): Graph {
  const seen = new Set<Value>();
  const copies: Node[] = [];
  const outputs = graph.outputs.map((value, at) => {
    if (value.role === "node" && !seen.has(value)) {
      seen.add(value);
      return value;
    }
    const copy: Value = { ...value, id: -1 - at, role: "node", data: null, name: null };
    const origin = { direction: "forward", call: null, group: null } as const;
    copies.push({ op: "Identity", inputs: [value], outputs: [copy], attrs: {}, origin });
    return copy;
  });
  return { ...graph, nodes: [...graph.nodes, ...copies], outputs };
}

function arrayOf({ dtype, shape, data, name, id }: Value): HostArray {
  invariant(data, `'${name ?? `value ${id}`}' is exported without numbers`);
  return { dtype, shape, data };
}

function needsExternalFile(
  initializers: readonly { readonly array: HostArray }[],
  weights: ExportOptions["weights"],
): boolean {
  if (weights === "external") return true;
  const bytes = initializers.reduce((sum, { array }) => sum + storedBytes(array), 0);
  if (bytes <= insideLimitBytes) return false;
  if (weights === "inside") throw exportTooLarge(bytes);
  return true;
}
