/** Files that cannot be run are refused with one error that says what is wrong, and where. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type GraphProtoSchema, ModelProtoSchema } from "onnx-buf";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";

const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
const engine = startEngine({ enginePath });
const root = mkdtempSync(join(tmpdir(), "normscope-bad-"));
afterAll(async () => {
  await engine.dispose();
  rmSync(root, { recursive: true, force: true });
});

type GraphInit = MessageInitShape<typeof GraphProtoSchema>;
const float = 1;
const string = 8;

const info = (name: string, dims: readonly (number | string)[], elemType = float) => ({
  name,
  type: { value: { case: "tensorType" as const, value: { elemType, shape: shapeOf(dims) } } },
});

const shapeOf = (dims: readonly (number | string)[]) => ({
  dim: dims.map((size) => ({
    value:
      typeof size === "number"
        ? { case: "dimValue" as const, value: BigInt(size) }
        : { case: "dimParam" as const, value: size },
  })),
});

const weight = (name: string, dims: readonly number[], floatData: readonly number[]) => ({
  name,
  dataType: float,
  dims: dims.map(BigInt),
  floatData: [...floatData],
});

const node = (opType: string, input: string[], output: string[], more: object = {}) => ({
  opType,
  input,
  output,
  name: `${opType}_of_${output[0]}`,
  ...more,
});

/** y = x @ w, changed by what a test gives. */
const good: GraphInit = {
  input: [info("x", [2, 2])],
  output: [info("y", [2, 2])],
  initializer: [weight("w", [2, 2], [1, 2, 3, 4])],
  node: [node("MatMul", ["x", "w"], ["y"])],
};

function run(graph: GraphInit, opset = 20) {
  const init = { irVersion: 10n, opsetImport: [{ domain: "", version: BigInt(opset) }] };
  const bytes = toBinary(ModelProtoSchema, create(ModelProtoSchema, { ...init, graph }));
  return runBytes(bytes);
}

function runBytes(bytes: Uint8Array) {
  writeFileSync(join(root, "bad.onnx"), bytes);
  return engine.run({
    ...{ root, file: "bad.onnx", entry: null, set: {}, inputs: [], loss: null, seed: 0 },
    ...{ mode: null, packages: null, device: "cpu" },
  });
}

async function refusalOf(graph: GraphInit, opset?: number): Promise<string> {
  const error = await run(graph, opset).then(
    () => "it ran",
    (reason: { code: string; message: string }) => `${reason.code}: ${reason.message}`,
  );
  return String(error);
}

const external = (location: string, offset = "0") => ({
  name: "w",
  dataType: float,
  dims: [2n, 2n],
  dataLocation: 1,
  externalData: [
    { key: "location", value: location },
    { key: "offset", value: offset },
  ],
});

test("what the tests change runs", async () => {
  const report = await run(good);
  expect(report.parameters[0]?.gradient).not.toBeNull();
});

const cases: readonly {
  readonly what: string;
  readonly graph: GraphInit;
  readonly text: string;
  readonly opset?: number;
}[] = [
  {
    what: "nodes in a circle",
    graph: {
      ...good,
      node: [node("Add", ["x", "b"], ["a"]), node("Add", ["a", "w"], ["b"]), ...(good.node ?? [])],
    },
    text: "decode/unsupported: The ONNX model cannot be read: the node 'Add_of_a' (Add) uses 'b' of the node 'Add_of_b' (Add), which runs after it: the nodes form a circle, or are out of order",
  },
  {
    what: "a name that nothing makes",
    graph: { ...good, node: [node("MatMul", ["x", "absent"], ["y"])] },
    text: "decode/unsupported: The ONNX model cannot be read: the node 'MatMul_of_y' (MatMul) uses 'absent', which nothing defines",
  },
  {
    what: "a name that is made twice",
    graph: { ...good, node: [node("Relu", ["x"], ["y"]), ...(good.node ?? [])] },
    text: "decode/unsupported: The ONNX model cannot be read: 'y' is made twice: by the node 'Relu_of_y' (Relu) and by the node 'MatMul_of_y' (MatMul)",
  },
  {
    what: "an unknown operator",
    graph: { ...good, node: [node("Swizzle", ["x", "w"], ["y"])] },
    text: "graph/unknown-op: No definition of the ONNX operator 'Swizzle' (of 'y')",
  },
  {
    what: "an operator of another domain",
    graph: { ...good, node: [node("FusedMatMul", ["x", "w"], ["y"], { domain: "com.microsoft" })] },
    text: "decode/unsupported: The ONNX model cannot be read: the node 'FusedMatMul_of_y' is 'com.microsoft.FusedMatMul', not of ai.onnx",
  },
  {
    what: "an opset that is too old",
    graph: good,
    text: "decode/unsupported: The ONNX model cannot be read: it is written for opset 9; opsets 13 to 23 can be read",
    opset: 9,
  },
  {
    what: "an opset that is not known",
    graph: good,
    text: "decode/unsupported: The ONNX model cannot be read: it is written for opset 99; opsets 13 to 23 can be read",
    opset: 99,
  },
  {
    what: "a weight with a huge shape",
    graph: { ...good, initializer: [weight("w", [2 ** 40, 2 ** 40], [1])] },
    text: "decode/unsupported: The ONNX model cannot be read: 'w' has the shape [1099511627776, 1099511627776]",
  },
  {
    what: "a weight with a negative size",
    graph: { ...good, initializer: [weight("w", [-2, 2], [1])] },
    text: "decode/unsupported: The ONNX model cannot be read: 'w' has the shape [-2, 2]",
  },
  {
    what: "a weight with too few numbers",
    graph: { ...good, initializer: [weight("w", [2, 2], [1])] },
    text: "decode/unsupported: The ONNX model cannot be read: 'w' has 1 of its 4 numbers",
  },
  {
    what: "an input with a huge shape",
    graph: { ...good, input: [info("x", [2 ** 40, 2])] },
    text: "decode/unsupported: The ONNX model cannot be read: 'x' has the shape [1099511627776, 2]: no memory holds it",
  },
  {
    what: "a value that grows huge",
    graph: {
      ...good,
      initializer: [
        ...(good.initializer ?? []),
        { name: "to", dataType: 7, dims: [3n], int64Data: [2n ** 33n, 2n, 2n] },
      ],
      node: [node("MatMul", ["x", "w"], ["z"]), node("Expand", ["z", "to"], ["y"])],
    },
    text: "decode/unsupported: The ONNX model cannot be read: 'y' has the shape [8589934592, 2, 2]: no memory holds it",
  },
  {
    what: "a tensor of strings",
    graph: { ...good, initializer: [{ name: "w", dataType: string, dims: [1n] }] },
    text: "decode/unsupported: The ONNX model cannot be read: 'w' holds strings",
  },
  {
    what: "an input of strings",
    graph: { ...good, input: [info("x", [2, 2], string)] },
    text: "decode/unsupported: The ONNX model cannot be read: the input 'x' holds strings",
  },
  {
    what: "external data that is missing",
    graph: { ...good, initializer: [external("absent.data")] },
    text: "decode/no-external-data: The model's external data 'absent.data' is not there, or shorter than the model says",
  },
  {
    what: "external data before the file's start",
    graph: { ...good, initializer: [external("bad.onnx", "-4")] },
    text: "decode/no-external-data: The model's external data 'bad.onnx' is not there, or shorter than the model says",
  },
  {
    what: "external data outside of the folder",
    graph: { ...good, initializer: [external("../secret")] },
    text: "decode/external-data: External data must lie in the model's own folder; '../secret' leaves it",
  },
  {
    what: "no outputs",
    graph: { ...good, output: [] },
    text: "decode/unsupported: The ONNX model cannot be read: its graph has no outputs",
  },
  {
    what: "no output of numbers",
    graph: { ...good, node: [node("Greater", ["x", "w"], ["y"])], output: [info("y", [2, 2], 9)] },
    text: "decode/unsupported: The ONNX model cannot be read: no output has floating-point numbers",
  },
];

test.each(cases)("$what is refused", async ({ graph, text, opset }) => {
  expect(await refusalOf(graph, opset)).toBe(text);
});

test("bytes that are cut or no model are refused", async () => {
  for (const bytes of [new Uint8Array([1, 2, 3]), new TextEncoder().encode("<html></html>")])
    await expect(runBytes(bytes)).rejects.toMatchObject({ code: "decode/not-onnx" });
});

test("axes as older files write them are read", async () => {
  const axes = { attribute: [{ name: "axes", type: 7, ints: [1n] }] };
  const nodes = [node("MatMul", ["x", "w"], ["z"]), node("ReduceMean", ["z"], ["y"], axes)];
  const report = await run({ ...good, node: nodes, output: [info("y", [2, 1])] }, 13);
  expect(report.values.at(-1)?.shape).toEqual([2, 1]);
});

test("sizes that are computed of shapes are known", async () => {
  const nodes = [
    node("MatMul", ["x", "w"], ["z"]),
    node("Shape", ["z"], ["sizes"]),
    node("Expand", ["one", "sizes"], ["ones"]),
    node("Add", ["z", "ones"], ["y"]),
  ];
  const initializer = [weight("w", [2, 2], [1, 2, 3, 4]), weight("one", [1], [1])];
  const report = await run({ ...good, initializer, node: nodes });
  expect(report.values.at(-1)?.shape).toEqual([2, 2]);
});

test("a node without a gradient rule is named, and the run has no gradients", async () => {
  const nodes = [
    node("Abs", ["m"], ["mean"]),
    node("BatchNormalization", ["x", "w", "b", "mean", "v"], ["y"]),
  ];
  const initializer = ["w", "b", "m", "v"].map((name) => weight(name, [2], [1, 2]));
  const report = await run({ ...good, initializer, node: nodes });
  expect(report.gaps).toEqual([
    {
      file: "bad.onnx",
      line: 2,
      code: "autodiff/no-rule",
      message:
        "'BatchNormalization' has no gradient rule for its input 'input_mean': no gradients were computed",
    },
  ]);
  expect(report.values.every(({ gradient }) => gradient === null)).toBe(true);
});

test("running statistics are no parameters", async () => {
  const nodes = [node("BatchNormalization", ["x", "w", "b", "m", "v"], ["y"])];
  const initializer = ["w", "b", "m", "v"].map((name) => weight(name, [2], [1, 2]));
  const report = await run({ ...good, initializer, node: nodes });
  const trained = report.parameters.filter(({ gradient }) => gradient !== null);
  expect(trained.map(({ name }) => name)).toEqual(["w", "b"]);
});
