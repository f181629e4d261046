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
import { dtypeOfElementType } from "./elementType.ts";
import { roleKey } from "./exportModel.ts";
import type { Attribute, Attrs, Graph, Node, TorchCall, Value } from "./graph.ts";
import { originFrom } from "./nodeMetadata.ts";
import { isElementTypeAttribute } from "./onnxProto.ts";
import { evaluateSize } from "./sizeExpression.ts";
import { isFloat, type TensorType } from "./tensor.ts";
import { arrayOfTensor, dtypeOf, type LoadExternal, metadataFrom } from "./tensorProto.ts";

export interface DecodeOptions {
  readonly loadExternal: LoadExternal;
  /** Types of values for which the file gives none. */
  readonly inferTypes: InferTypes;
  /** Numbers for dimensions that the file only names. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/**
 * Initializers are parameters where the file says so, or, in files of others, where they are float
 * tensors; Constant nodes become constants. Inputs come first, then parameters.
 */
export function decodeModel(bytes: Uint8Array, options: DecodeOptions): Graph {
  const { graph } = parse(bytes);
  if (graph === undefined) throw notOnnx("it has no graph");
  return createDecoder(options).graph(graph, new Map());
}

function parse(bytes: Uint8Array): ModelProto {
  try {
    return fromBinary(ModelProtoSchema, bytes);
  } catch (error) {
    throw notOnnx(error instanceof Error ? error.message : String(error));
  }
}

type Scope = Map<string, Value>;

function createDecoder({ loadExternal, inferTypes, sizes = {} }: DecodeOptions) {
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
        if (type === null) throw onnxUnsupported(`the input '${info.name}' is no tensor`);
        const value = create(type, { role: "input", name: info.name });
        scope.set(info.name, value);
        return value;
      });
    const infos = new Map([...proto.valueInfo, ...proto.output].map((info) => [info.name, info]));
    const nodes = proto.node.flatMap((node) => decodeNode(node, scope, infos) ?? []);
    const outputs = proto.output.map(({ name }) => valueNamed(name, scope, "the graph's outputs"));
    return { inputs: [...inputs, ...parameters], nodes, outputs };
  }

  /** null: a Constant node, which is a constant. */
  function decodeNode(
    proto: NodeProto,
    scope: Scope,
    infos: ReadonlyMap<string, ValueInfoProto>,
  ): Node | null {
    const { opType, domain } = proto;
    if (domain !== "" && domain !== "ai.onnx")
      throw onnxUnsupported(`the node '${proto.name}' is '${domain}.${opType}', not of ai.onnx`);
    const attrs = attributesOf(proto, scope);
    if (opType === "Constant") {
      scope.set(proto.output[0] ?? "", constantOf(proto, attrs));
      return null;
    }
    const inputs = proto.input.map((name) =>
      name === "" ? null : valueNamed(name, scope, `the node '${proto.name}' (${opType})`),
    );
    const requiresGrad = inputs.some((value) => value?.requiresGrad);
    const origin = originFrom(metadataFrom(proto.metadataProps), calls);
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
      const value = create(type, { requiresGrad: requiresGrad && isFloat(type.dtype), name });
      scope.set(name, value);
      return value;
    });
    return { ...node, outputs };
  }

  function constantOf({ output, name }: NodeProto, attrs: Attrs): Value {
    const value = attrs["value"];
    if (typeof value !== "object" || !("data" in value))
      throw onnxUnsupported(`the node '${name}' (Constant) has no attribute 'value'`);
    return create(value, { role: "constant", data: value.data, name: output[0] ?? null });
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

function roleOf(written: string | undefined, { dtype, shape }: TensorType): Value["role"] {
  if (written === "parameter" || written === "constant") return written;
  return isFloat(dtype) && shape.length > 0 ? "parameter" : "constant";
}

function valueNamed(name: string, scope: Scope, where: string): Value {
  const value = scope.get(name);
  if (value === undefined) throw onnxUnsupported(`${where} use '${name}', which nothing defines`);
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
