/** Writes the messages of onnx.proto: tensors, attributes, nodes, types. The names of values are the caller's. */
import { invariant } from "../errors.ts";
import { toBytes } from "./bytes.ts";
import { elementTypeOf } from "./elementType.ts";
import type { Attribute, Graph, Node, Value } from "./graph.ts";
import type { ProtoWriter } from "./protobuf.ts";
import type { DType, HostArray, TensorType } from "./tensor.ts";

/** Of ai.onnx; every ONNX Runtime since 1.23 runs it. */
export const opset = 23;
/** The file format that came with opset 23. */
export const irVersion = 11;

/** How an encoder names what it writes. */
export interface Naming {
  value(value: Value): string;
  /** null: the node stays without a name. */
  node(node: Node): string | null;
}

/** Attributes whose numbers are floats; a number under any other name is an integer. */
const floatAttributes = new Set([
  "activation_alpha",
  "activation_beta",
  "alpha",
  "beta",
  "bias",
  "clip",
  "cubic_coeff_a",
  "epsilon",
  "extrapolation_value",
  "gamma",
  "high",
  "lambd",
  "low",
  "mean",
  "momentum",
  "norm_coefficient",
  "ratio",
  "scale",
  "seed",
  "sigma",
  "softcap",
  "spatial_scale",
  "threshold",
  "value_float",
  "value_floats",
]);

/** Attributes that are an element type: the IR names it, ONNX numbers it. */
const elementTypeAttributes = new Set(["to", "dtype"]);

const elementTypeNumber = (given: Attribute): Attribute =>
  typeof given === "string" ? elementTypeOf[given as DType] : given;

const attributeType = {
  float: 1,
  int: 2,
  string: 3,
  tensor: 4,
  graph: 5,
  floats: 6,
  ints: 7,
  strings: 8,
} as const;

/** ModelProto; `graph` writes the fields of its GraphProto, `domains` are those beside ai.onnx. */
export function writeModel(
  out: ProtoWriter,
  graph: () => void,
  metadata: Metadata = {},
  domains: readonly string[] = [],
): void {
  out.int(1, irVersion);
  out.string(2, "normscope");
  out.message(7, graph);
  out.message(8, () => {
    out.string(1, "");
    out.int(2, opset);
  });
  for (const domain of domains)
    out.message(8, () => {
      out.string(1, domain);
      out.int(2, 1);
    });
  writeMetadata(out, 14, metadata);
}

export type Metadata = Readonly<Record<string, string>>;

/** NodeProto, as field 1 of a GraphProto. */
export function writeNode(
  out: ProtoWriter,
  node: Node,
  naming: Naming,
  metadata: Metadata = {},
): void {
  out.message(1, () => {
    for (const value of writtenInputs(node))
      out.string(1, value === null ? "" : naming.value(value));
    for (const value of node.outputs) out.string(2, naming.value(value));
    const name = naming.node(node);
    if (name !== null) out.string(3, name);
    const { type, domain } = splitOp(node.op);
    out.string(4, type);
    if (domain !== "") out.string(7, domain);
    for (const [key, attribute] of Object.entries(node.attrs))
      writeAttribute(out, key, attribute, naming);
    writeMetadata(out, 9, metadata);
  });
}

/** "com.microsoft.FusedMatMul" has a domain; operators of ai.onnx have none. */
export function splitOp(op: string): { readonly type: string; readonly domain: string } {
  const at = op.lastIndexOf(".");
  return { type: op.slice(at + 1), domain: op.slice(0, Math.max(at, 0)) };
}

/** ValueInfoProto; `dims` replaces sizes by names of dimensions. */
export function writeValueInfo(
  out: ProtoWriter,
  field: number,
  name: string,
  type: { readonly dtype: DType; readonly shape: readonly (number | string)[] },
): void {
  out.message(field, () => {
    out.string(1, name);
    out.message(2, () =>
      out.message(1, () => {
        out.int(1, elementTypeOf[type.dtype]);
        out.message(2, () => {
          for (const size of type.shape)
            out.message(1, () =>
              typeof size === "number" ? out.int(1, size) : out.string(2, size),
            );
        });
      }),
    );
  });
}

/** Where the bytes of an external tensor lie. */
export interface ExternalLocation {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** TensorProto, its numbers inside. */
export function writeTensor(
  out: ProtoWriter,
  field: number,
  name: string,
  array: HostArray,
  metadata: Metadata = {},
): void {
  out.message(field, () => {
    writeTensorHead(out, name, array);
    out.bytes(9, toBytes(array));
    writeMetadata(out, 16, metadata);
  });
}

/** TensorProto whose numbers lie in another file. */
export function writeExternalTensor(
  out: ProtoWriter,
  field: number,
  name: string,
  type: TensorType,
  at: ExternalLocation,
  metadata: Metadata = {},
): void {
  out.message(field, () => {
    writeTensorHead(out, name, type);
    writeEntry(out, 13, "location", at.file);
    writeEntry(out, 13, "offset", String(at.offset));
    writeEntry(out, 13, "length", String(at.length));
    out.int(14, 1);
    writeMetadata(out, 16, metadata);
  });
}

/** The fields of a GraphProto that lies inside a node (the body of a Loop or If). */
export function writeSubgraph(out: ProtoWriter, graph: Graph, naming: Naming): void {
  for (const node of graph.nodes) writeNode(out, node, naming);
  out.string(2, "body");
  for (const value of graph.inputs) writeValueInfo(out, 11, naming.value(value), value);
  for (const value of graph.outputs) writeValueInfo(out, 12, naming.value(value), value);
}

/** Without trailing inputs that are left out. */
export const writtenInputs = ({ inputs }: Node): readonly (Value | null)[] =>
  inputs.slice(0, inputs.findLastIndex((value) => value !== null) + 1);

export const isFloatAttribute = (name: string): boolean => floatAttributes.has(name);

export const isElementTypeAttribute = (name: string): boolean => elementTypeAttributes.has(name);

export const isGraph = (attribute: Attribute): attribute is Graph =>
  typeof attribute === "object" && "nodes" in attribute;

function writeTensorHead(out: ProtoWriter, name: string, type: TensorType): void {
  for (const size of type.shape) out.int(1, size);
  out.int(2, elementTypeOf[type.dtype]);
  out.string(8, name);
}

function writeAttribute(out: ProtoWriter, name: string, given: Attribute, naming: Naming): void {
  const attribute = elementTypeAttributes.has(name) ? elementTypeNumber(given) : given;
  const isFloat = floatAttributes.has(name);
  const type = typeOfAttribute(attribute, isFloat);
  out.message(5, () => {
    out.string(1, name);
    if (type === "float") out.float(2, attribute as number);
    else if (type === "int") out.int(3, integer(name, attribute as number));
    else if (type === "string") out.string(4, attribute as string);
    else if (type === "tensor") writeTensor(out, 5, "", attribute as HostArray);
    else if (type === "graph") out.message(6, () => writeSubgraph(out, attribute as Graph, naming));
    else if (type === "floats") for (const x of attribute as number[]) out.float(7, x);
    else if (type === "ints") for (const x of attribute as number[]) out.int(8, integer(name, x));
    else for (const text of attribute as string[]) out.string(9, text);
    out.int(20, attributeType[type]);
  });
}

function typeOfAttribute(attribute: Attribute, isFloat: boolean): keyof typeof attributeType {
  if (typeof attribute === "number") return isFloat ? "float" : "int";
  if (typeof attribute === "string") return "string";
  if (Array.isArray(attribute)) {
    if (typeof attribute[0] === "string") return "strings";
    return isFloat ? "floats" : "ints";
  }
  return isGraph(attribute) ? "graph" : "tensor";
}

function integer(name: string, value: number): number {
  invariant(Number.isInteger(value), `the integer attribute '${name}' is ${value}`);
  return value;
}

function writeMetadata(out: ProtoWriter, field: number, metadata: Metadata): void {
  for (const [key, value] of Object.entries(metadata)) writeEntry(out, field, key, value);
}

function writeEntry(out: ProtoWriter, field: number, key: string, value: string): void {
  out.message(field, () => {
    out.string(1, key);
    out.string(2, value);
  });
}
