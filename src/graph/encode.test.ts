import { fromBinary } from "@bufbuild/protobuf";
import { AttributeProto_AttributeType, ModelProtoSchema } from "onnx-buf";
import { expect, test } from "vitest";
import { createEmitter } from "../ops/emitter.ts";
import { type EncodeOptions, encodeModel } from "./encode.ts";
import type { Attrs, Graph, Value } from "./graph.ts";
import type { DType } from "./tensor.ts";

const decode = (graph: Graph, options: EncodeOptions = {}) => {
  const model = encodeModel(graph, options);
  const proto = fromBinary(ModelProtoSchema, model.bytes).graph;
  if (!proto) throw new Error("no graph");
  return { model, proto };
};

const inputOf = (dtype: DType, shape: readonly number[], role: "input" | "parameter" = "input") =>
  createEmitter().input({ dtype, shape }, { role, name: null, requiresGrad: false, data: null });

test("makes parameters and inputs inputs, small constants initializers", () => {
  const emit = createEmitter();
  const x = inputOf("float32", [2, 3]);
  const w = inputOf("float32", [3, 4], "parameter");
  const unused = inputOf("float32", [9]);
  const y = emit.op("ReduceSum", [emit.op("MatMul", [x, w]), emit.ints([-1])], { keepdims: 0 });
  const { model, proto } = decode({ inputs: [unused, x, w], nodes: emit.nodes, outputs: [y, y] });
  expect(model.fed.map((value) => value.id)).toEqual([x.id, w.id]);
  expect(proto.input.map((input) => input.name)).toEqual([`v${x.id}`, `v${w.id}`]);
  expect(proto.output.map((output) => output.name)).toEqual([`v${y.id}`]);
  expect(proto.node.map((node) => [node.name, node.opType])).toEqual([
    ["1", "ReduceSum"],
    ["0", "MatMul"],
  ]);
  expect(proto.initializer.map((tensor) => [tensor.dims, tensor.dataType])).toEqual([[[1n], 7]]);
  expect(Buffer.from(proto.initializer[0]?.rawData ?? []).toString("hex")).toBe("ff".repeat(8));
});

test("feeds large constants and writes equal small ones once", () => {
  const emit = createEmitter();
  const other = createEmitter();
  const x = inputOf("float32", [300]);
  const large = emit.constant({ dtype: "float32", shape: [300], data: new Float32Array(300) });
  let y = emit.op("Add", [x, large]);
  y = emit.op("Add", [y, emit.scalar(0.5, "float32")]);
  y = emit.op("Add", [y, other.scalar(0.5, "float32")]);
  const { model, proto } = decode({ inputs: [x], nodes: emit.nodes, outputs: [y] });
  expect(model.fed.map((value) => value.role)).toEqual(["input", "constant"]);
  expect(proto.initializer).toHaveLength(1);
  expect(
    new Set(proto.node.filter(({ name }) => name !== "0").map((node) => node.input[1])),
  ).toEqual(new Set([proto.initializer[0]?.name]));
});

test("feeds and gives out half precision as float32", () => {
  const emit = createEmitter();
  const x = inputOf("bfloat16", [2]);
  const y = emit.op("Identity", [x]);
  const z = emit.op("Identity", [y]);
  const { proto } = decode({ inputs: [x], nodes: emit.nodes, outputs: [z] });
  expect(proto.node.map((node) => [node.opType, ...node.input, ...node.output])).toEqual([
    ["Cast", `h${z.id}`, `v${z.id}`],
    ["Cast", `v${x.id}`, `h${x.id}`],
    ["Identity", `h${x.id}`, `v${y.id}`],
    ["Identity", `v${y.id}`, `h${z.id}`],
  ]);
  const types = [...proto.input, ...proto.output].map(({ type }) =>
    type?.value.case === "tensorType" ? type.value.value.elemType : null,
  );
  expect(types).toEqual([1, 1]);
});

test("writes each kind of attribute with ONNX's type", () => {
  const x = inputOf("float32", [2]);
  const y: Value = { ...x, id: x.id + 1_000_000, role: "node" };
  const body: Graph = {
    inputs: [],
    nodes: [{ op: "Identity", inputs: [x], outputs: [y], attrs: {}, origin: noOrigin }],
    outputs: [y],
  };
  const attrs: Attrs = {
    axis: -1,
    epsilon: 1e-5,
    equation: "ij->i",
    perm: [1, 0],
    to: "bfloat16",
    value_floats: [1, 2],
    activations: ["a", "b"],
    value: { dtype: "int64", shape: [1], data: Float64Array.of(7) },
    body,
  };
  const node = { op: "Test", inputs: [x, null, x, null], outputs: [y], attrs, origin: noOrigin };
  const { proto } = decode({ inputs: [x], nodes: [node], outputs: [y] });
  expect(proto.node[0]?.input).toEqual([`v${x.id}`, "", `v${x.id}`]);
  const read = Object.fromEntries(
    (proto.node[0]?.attribute ?? []).map((item) => [item.name, item]),
  );
  const typeOf = (name: string) => AttributeProto_AttributeType[read[name]?.type ?? 0];
  expect(Object.fromEntries(Object.keys(attrs).map((name) => [name, typeOf(name)]))).toEqual({
    axis: "INT",
    epsilon: "FLOAT",
    equation: "STRING",
    perm: "INTS",
    to: "INT",
    value_floats: "FLOATS",
    activations: "STRINGS",
    value: "TENSOR",
    body: "GRAPH",
  });
  expect(read["axis"]?.i).toBe(-1n);
  expect(read["epsilon"]?.f).toBe(Math.fround(1e-5));
  expect(read["perm"]?.ints).toEqual([1n, 0n]);
  expect(read["to"]?.i).toBe(16n);
  expect(read["value"]?.t?.dims).toEqual([1n]);
  expect(read["body"]?.g?.node[0]?.input).toEqual([`v${x.id}`]);
});

const noOrigin = { direction: "forward", call: null, group: null } as const;
