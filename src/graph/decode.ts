/** An ONNX file → Graph: what was exported, or as much as the language of graphs can say of another's. */
import { fromBinary } from "@bufbuild/protobuf";
import {
  type AttributeProto,
  AttributeProto_AttributeType as AttributeType,
  type GraphProto,
  type ModelProto,
  ModelProtoSchema,
  type NodeProto,
  type ValueInfoProto,
} from "onnx-buf";
import { notOnnx, onnxSizeUnknown, onnxUnsupported } from "../errors.ts";
import type { InferTypes } from "./checkGraph.ts";
import { checkModel, isOnnx, nodeText } from "./checkModel.ts";
import { dtypeOfElementType, elementTypeText } from "./elementType.ts";
import { roleKey } from "./exportModel.ts";
import type { Attribute, Attrs, Graph, Node, TorchCall, Value } from "./graph.ts";
import { originFrom } from "./nodeMetadata.ts";
import { isElementTypeAttribute } from "./onnxProto.ts";
import { evaluateSize } from "./sizeExpression.ts";
import { type HostArray, isFloat, type TensorType } from "./tensor.ts";
import { arrayOfTensor, dtypeOf, type LoadExternal, metadataFrom } from "./tensorProto.ts";

export interface DecodeOptions {
  readonly loadExternal: LoadExternal;
  /** Types of values for which the file gives none. */
  readonly inferTypes: InferTypes;
  /** Numbers of a node that needs none at run time; null: it stays a node. */
  fold?(node: Node): readonly HostArray[] | null;
  /** Numbers for dimensions that the file only names. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/**
 * Initializers are parameters where the file says so, or, in files of others, where they are float
 * tensors; Constant nodes become constants. Inputs come first, then parameters.
 */
export function decodeModel(bytes: Uint8Array, options: DecodeOptions): Graph {
  return createDecoder(options).graph(checkModel(parse(bytes)), new Map());
}

function parse(bytes: Uint8Array): ModelProto {
  try {
    return fromBinary(ModelProtoSchema, bytes);
  } catch (error) {
    throw notOnnx(error instanceof Error ? error.message : String(error));
  }
}

type Scope = Map<string, Value>;

function createDecoder({ loadExternal, inferTypes, fold, sizes = {} }: DecodeOptions) {
  const calls = new Map<string, TorchCall>();
  let nextId = 1;

  const create = (type: TensorType, given: Partial<Value>): Value => ({
    id: nextId++,
    role: "node",
    dtype: type.dtype,
    shape: type.shape,
    requiresGrad: false,
    data: null,
    name: null,
    ...given,
  });

  function decodeGraph(proto: GraphProto, outer: Scope): Graph {
    const scope: Scope = new Map(outer);
    const parameters: Value[] = [];
    for (const tensor of proto.initializer) {
      const array = arrayOfTensor(tensor, loadExternal);
      const role = roleOf(metadataFrom(tensor.metadataProps)[roleKey], array);
      const { name } = tensor;
      const requiresGrad = role === "parameter";
      const value = create(array, { role, requiresGrad, data: array.data, name });
      scope.set(name, value);
      if (role === "parameter") parameters.push(value);
    }
    const inputs = proto.input
      .filter(({ name }) => !scope.has(name) || outer.has(name))
      .map((info) => {
        const type = typeOfInfo(info, sizes);
        if (type === null) throw onnxUnsupported(inputProblem(info));
        const value = create(type, { role: "input", name: info.name });
        scope.set(info.name, value);
        return value;
      });
    const infos = new Map([...proto.valueInfo, ...proto.output].map((info) => [info.name, info]));
    const nodes = proto.node.flatMap((node) => decodeNode(node, scope, infos) ?? []);
    const outputs = proto.output.map(({ name }) => valueNamed(name, scope, "the graph"));
    return { inputs: [...inputs, ...parameters], nodes, outputs };
  }

  /** null: a Constant node, which is a constant. */
  function decodeNode(
    proto: NodeProto,
    scope: Scope,
    infos: ReadonlyMap<string, ValueInfoProto>,
  ): Node | null {
    const { opType, domain } = proto;
    if (!isOnnx(domain))
      throw onnxUnsupported(`the node '${proto.name}' is '${domain}.${opType}', not of ai.onnx`);
    const { axes, ...attrs } = attributesOf(proto, scope);
    if (opType === "Constant") {
      scope.set(proto.output[0] ?? "", constantOf(proto, attrs));
      return null;
    }
    const inputs = proto.input.map((name) =>
      name === "" ? null : valueNamed(name, scope, nodeText(proto)),
    );
    // Up to opset 17 what is reduced over was no input.
    if (Array.isArray(axes) && inputs.length === 1) inputs.push(axesInput(axes));
    const requiresGrad = inputs.some((value) => value?.requiresGrad);
    const origin = originFrom(proto, calls);
    const node = { op: opType, inputs, attrs, origin };
    const known = proto.output.map((name) => {
      const info = infos.get(name);
      return info === undefined ? null : typeOfInfo(info, sizes);
    });
    const unknown = (): Value => create({ dtype: "float32", shape: [] }, {});
    const types = known.every((type) => type !== null)
      ? known
      : inferTypes({ ...node, outputs: proto.output.map(unknown) });
    const outputs = proto.output.map((name, at) => {
      const type = types[at];
      if (type === undefined) throw onnxUnsupported(`the type of '${name}' is not known`);
      return create(type, { requiresGrad: requiresGrad && isFloat(type.dtype), name });
    });
    const folded = fold?.({ ...node, outputs }) ?? null;
    outputs.forEach((value, at) => {
      const array = folded?.[at];
      const known = array && create(array, { role: "constant", data: array.data });
      if (value.name !== "") scope.set(value.name ?? "", known ?? value);
    });
    return folded === null ? { ...node, outputs } : null;
  }

  const axesInput = (axes: readonly number[]): Value => {
    const array = { dtype: "int64", shape: [axes.length], data: Float64Array.from(axes) } as const;
    return create(array, { role: "constant", data: array.data });
  };

  function constantOf({ output, name }: NodeProto, attrs: Attrs): Value {
    const array = numbersOfConstant(attrs);
    if (array === null)
      throw onnxUnsupported(`the node '${name}' (Constant) holds no numbers that can be read`);
    return create(array, { role: "constant", data: array.data, name: output[0] ?? null });
  }

  const attributesOf = (proto: NodeProto, scope: Scope): Attrs =>
    Object.fromEntries(
      proto.attribute.map((item) => [item.name, attributeOf(item, scope, proto.name)]),
    );

  function attributeOf(proto: AttributeProto, scope: Scope, node: string): Attribute {
    switch (proto.type) {
      case AttributeType.FLOAT:
        return proto.f;
      case AttributeType.INT:
        return isElementTypeAttribute(proto.name)
          ? dtypeOf(Number(proto.i), `${node}.${proto.name}`)
          : Number(proto.i);
      case AttributeType.STRING:
        return new TextDecoder().decode(proto.s);
      case AttributeType.FLOATS:
        return proto.floats;
      case AttributeType.INTS:
        return proto.ints.map(Number);
      case AttributeType.STRINGS:
        return proto.strings.map((text) => new TextDecoder().decode(text));
      case AttributeType.TENSOR:
        if (proto.t) return arrayOfTensor(proto.t, loadExternal);
        break;
      case AttributeType.GRAPH:
        if (proto.g) return decodeGraph(proto.g, scope);
        break;
    }
    throw onnxUnsupported(`the attribute '${proto.name}' of the node '${node}' cannot be read`);
  }

  return { graph: decodeGraph };
}

/** A Constant node says its numbers in one of several attributes. */
function numbersOfConstant(attrs: Attrs): HostArray | null {
  const { value, value_float, value_floats, value_int, value_ints } = attrs;
  if (typeof value === "object" && "data" in value) return value;
  const floats = value_floats ?? value_float;
  const numbers = floats ?? value_ints ?? value_int;
  const shape = Array.isArray(numbers) ? [numbers.length] : [];
  const list = [numbers].flat();
  if (!list.every((x): x is number => typeof x === "number")) return null;
  return floats === undefined
    ? { dtype: "int64", shape, data: Float64Array.from(list) }
    : { dtype: "float32", shape, data: Float32Array.from(list) };
}

/** Why an input cannot be made up. */
function inputProblem({ name, type }: ValueInfoProto): string {
  if (type?.value.case !== "tensorType") return `the input '${name}' is no tensor`;
  const { elemType, shape } = type.value.value;
  if (dtypeOfElementType(elemType) === null)
    return `the input '${name}' holds ${elementTypeText(elemType)}`;
  return shape === undefined
    ? `the shape of the input '${name}' is not known`
    : `a dimension of the input '${name}' is neither a number nor a name`;
}

function roleOf(written: string | undefined, { dtype, shape }: TensorType): Value["role"] {
  if (written === "parameter" || written === "constant") return written;
  return isFloat(dtype) && shape.length > 0 ? "parameter" : "constant";
}

function valueNamed(name: string, scope: Scope, where: string): Value {
  const value = scope.get(name);
  if (value === undefined) throw onnxUnsupported(`${where} uses '${name}', which nothing defines`);
  return value;
}

/** null: not the whole type is given. */
function typeOfInfo(
  { name, type }: ValueInfoProto,
  sizes: Readonly<Record<string, number>>,
): TensorType | null {
  if (type?.value.case !== "tensorType") return null;
  const { elemType, shape } = type.value.value;
  const dtype = dtypeOfElementType(elemType);
  if (dtype === null || shape === undefined) return null;
  const dims = shape.dim.map(({ value }) => {
    if (value.case === "dimValue") return Number(value.value);
    if (value.case === undefined) return null;
    const size = evaluateSize(value.value, sizes);
    if (size === null) throw onnxSizeUnknown(name, value.value);
    return size;
  });
  return dims.every((size) => size !== null) ? { dtype, shape: dims } : null;
}
