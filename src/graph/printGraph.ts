/** Graph → ONNX's textual syntax, https://github.com/onnx/onnx/blob/main/docs/Syntax.md */
import { toBytes } from "./bytes.ts";
import { elementTypeOf } from "./elementType.ts";
import type { Attribute, Graph, Node, Value } from "./graph.ts";
import { type NameOptions, nameValues } from "./names.ts";
import { numberText } from "./numberText.ts";
import {
  irVersion,
  isElementTypeAttribute,
  isFloatAttribute,
  isGraph,
  opset,
  writtenInputs,
} from "./onnxProto.ts";
import { valuesUsedBy } from "./prune.ts";
import { type HostArray, isHalf, type TensorType } from "./tensor.ts";

/** Constants with more elements are printed among the inputs, without their numbers. */
const mostNumbersPrinted = 32;

/** A whole model, which `onnx.parser.parse_model` reads. */
export function printGraph(graph: Graph, options: NameOptions = {}): string {
  const names = nameValues(graph, options);
  const name = (value: Value): string => quoted(names.get(value) ?? `v${value.id}`);
  const constants = constantsOf(graph);
  const isShort = ({ data }: Value): boolean => (data?.length ?? 0) <= mostNumbersPrinted;
  const inputs = [...graph.inputs, ...constants.filter((value) => !isShort(value))];
  const initializers = constants
    .filter(isShort)
    .map((value) => `${typeText(value)} ${name(value)} = {${numbersText(value)}}`);
  return [
    `<ir_version: ${irVersion}, opset_import: ["" : ${opset}]>`,
    `graph ${signature(inputs, graph.outputs, name)}`,
    ...(initializers.length > 0 ? [list("<", initializers, ">")] : []),
    "{",
    ...graph.nodes.map((node) => `   ${nodeText(node, name)}`),
    "}",
    "",
  ].join("\n");
}

type Name = (value: Value) => string;

function signature(inputs: readonly Value[], outputs: readonly Value[], name: Name): string {
  const typed = (value: Value): string => `${typeText(value)} ${name(value)}`;
  return `${list("(", inputs.map(typed), ")")} => ${list("(", outputs.map(typed), ")")}`;
}

/** On one line where it fits. */
function list(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(", ")}${close}`;
  return line.length <= 90 ? line : `${open}\n   ${items.join(",\n   ")}\n${close}`;
}

function constantsOf(graph: Graph): Value[] {
  const used = graph.nodes.flatMap(valuesUsedBy);
  return [...new Set([...used, ...graph.outputs])].filter((value) => value.role === "constant");
}

function nodeText(node: Node, name: Name): string {
  const attributes = Object.entries(node.attrs).map(
    ([key, attribute]) => `${key} = ${attributeText(key, attribute, name)}`,
  );
  const inputs = writtenInputs(node).map((value) => (value === null ? '""' : name(value)));
  const call = [node.op, ...(attributes.length > 0 ? [`<${attributes.join(", ")}>`] : [])];
  return `${node.outputs.map(name).join(", ")} = ${call.join(" ")} (${inputs.join(", ")})`;
}

function attributeText(key: string, attribute: Attribute, name: Name): string {
  if (typeof attribute === "string")
    return isElementTypeAttribute(key)
      ? String(elementTypeOf[attribute as HostArray["dtype"]])
      : JSON.stringify(attribute);
  const number = (x: number): string => (isFloatAttribute(key) ? floatText(x) : String(x));
  if (typeof attribute === "number") return number(attribute);
  if (Array.isArray(attribute)) {
    const items = (attribute as readonly (number | string)[]).map((item) =>
      typeof item === "number" ? number(item) : JSON.stringify(item),
    );
    return `[${items.join(", ")}]`;
  }
  if (isGraph(attribute)) return bodyText(attribute, name);
  const array = attribute as HostArray;
  return `${typeText(array)} {${numbersText(array)}}`;
}

const bodyText = (graph: Graph, name: Name): string =>
  [
    `body ${signature(graph.inputs, graph.outputs, name)} {`,
    ...graph.nodes.map((node) => `      ${nodeText(node, name)}`),
    "   }",
  ].join("\n");

const typeNames: Readonly<Partial<Record<HostArray["dtype"], string>>> = {
  float32: "float",
  float64: "double",
};

/** `float[2, 3]`; rank 0 is `float`, since `float[]` says that the rank is unknown. */
const typeText = ({ dtype, shape }: TensorType): string =>
  `${typeNames[dtype] ?? dtype}${shape.length > 0 ? `[${shape.join(", ")}]` : ""}`;

/** The syntax has the bits of half-precision numbers. */
function numbersText(array: TensorType & { readonly data: Value["data"] }): string {
  if (array.data === null) return "";
  if (isHalf(array.dtype)) {
    const bytes = toBytes({ dtype: array.dtype, data: array.data });
    return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2).join(", ");
  }
  return Array.from(array.data, (x) => numberText(x, array.dtype)).join(", ");
}

const floatText = (x: number): string => {
  const text = numberText(x, "float32");
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
};

/** Other names than identifiers stand in quotes. */
const quoted = (name: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name);
