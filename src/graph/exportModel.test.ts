import { fromBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema } from "onnx-buf";
import { expect, test } from "vitest";
import { createEmitter } from "../ops/emitter.ts";
import { inferNode } from "../ops/inferNode.ts";
import { createRuntime } from "../runtime/run.ts";
import { decodeModel } from "./decode.ts";
import { type ExportedModel, type ExportOptions, exportModel } from "./exportModel.ts";
import type { Graph, Origin, Value } from "./graph.ts";
import { printGraph } from "./printGraph.ts";

const origin: Origin = {
  direction: "forward",
  call: {
    id: 7,
    op: "linear",
    site: { file: "m's.py", line: 3, column: 4, endLine: 4, endColumn: 9, function: "forward" },
    module: "blocks.0.fc",
    moduleCall: 1,
  },
  group: null,
};

/** softmax(x · w) + 0.5, with a weight that is large enough for an external file. */
function smallGraph(): Graph {
  const emit = createEmitter();
  const input = (
    name: string,
    role: "input" | "parameter",
    shape: number[],
    scale: number,
  ): Value =>
    emit.input(
      { dtype: "float32", shape },
      {
        role,
        name,
        requiresGrad: role === "parameter",
        data: Float32Array.from({ length: shape.reduce((n, size) => n * size, 1) }, (_, at) =>
          Math.sin(at * scale),
        ),
      },
    );
  const x = input("x", "input", [2, 20], 1);
  const w = input("blocks.0.fc.weight", "parameter", [20, 30], 2);
  const bias = input("bias", "parameter", [30], 3);
  emit.origin = origin;
  const y = emit.op("Softmax", [emit.op("MatMul", [x, w])], { axis: -1 });
  const wide = emit.op("Cast", [emit.op("Add", [y, bias])], { to: "float64" });
  const z = emit.op("Add", [wide, emit.scalar(0.5, "float64")]);
  return { inputs: [x, w, bias], nodes: emit.nodes, outputs: [z, w] };
}

const options: ExportOptions = { weights: "inside", externalName: "model.onnx.data" };

const decode = ({ bytes, external }: ExportedModel): Graph => {
  const data = Buffer.concat([...(external ?? [])]);
  return decodeModel(bytes, {
    inferTypes: inferNode,
    loadExternal: (file, offset, length) => {
      expect(file).toBe("model.onnx.data");
      return data.subarray(offset, offset + length);
    },
  });
};

for (const weights of ["inside", "external"] as const)
  test(`reads back what it wrote, weights ${weights}`, async () => {
    const graph = smallGraph();
    const exported = exportModel(graph, { ...options, weights });
    expect(exported.external === null).toBe(weights === "inside");
    const read = decode(exported);
    // The second output is a parameter: the file has a copy of it.
    const same = { ...read, nodes: read.nodes.slice(0, -1) };
    expect(same.nodes.map(({ op, attrs }) => ({ op, attrs }))).toEqual(
      graph.nodes.map(({ op, attrs }) => ({ op, attrs })),
    );
    for (const node of same.nodes) expect(node.origin).toEqual(origin);
    const runtime = createRuntime({ threads: 1 });
    const results = await runtime.evaluateGraph(graph, graph.outputs);
    const inputs = new Map(graph.inputs.map((value) => [value.name, value]));
    const fed = { ...read, inputs: read.inputs, outputs: read.outputs };
    for (const value of fed.inputs)
      if (value.role === "input") Object.assign(value, { data: inputs.get(value.name)?.data });
    expect(await runtime.evaluateGraph(fed, fed.outputs)).toEqual(results);
  });

test("writes names, types and where nodes came from", () => {
  const { bytes } = exportModel(smallGraph(), {
    ...options,
    metadata: { seed: "0" },
    classes: new Map([
      ["", "model.Model"],
      ["blocks.0.fc", "torch.nn.Linear"],
    ]),
    sourceLine: (_, line) => `    y = self.fc(x)  # line ${line}`,
  });
  const model = fromBinary(ModelProtoSchema, bytes);
  const { graph } = model;
  expect(model.metadataProps.map(({ key, value }) => [key, value])).toEqual([["seed", "0"]]);
  expect(graph?.input.map(({ name }) => name)).toEqual(["x"]);
  expect(graph?.initializer.map(({ name }) => name)).toEqual([
    "blocks.0.fc.weight",
    "bias",
    "float64 0.5",
  ]);
  expect(graph?.valueInfo.map(({ name }) => name)).toEqual([
    "blocks.0.fc/linear.MatMul",
    "blocks.0.fc/linear.Softmax",
    "blocks.0.fc/linear.Add",
    "blocks.0.fc/linear.Cast",
  ]);
  const metadata = graph?.node[0]?.metadataProps.map(({ key, value }) => `${key}: ${value}`);
  expect(metadata?.join("\n")).toMatchInlineSnapshot(`
    "pkg.torch.onnx.stack_trace: File "m's.py", line 3, in forward
        y = self.fc(x)  # line 3
    pkg.torch.onnx.name_scopes: ['', 'blocks.0.fc', 'linear']
    pkg.torch.onnx.class_hierarchy: ['model.Model', 'torch.nn.Linear', 'linear']
    normscope.src: m's.py:3:4-4:9
    normscope.function: forward
    normscope.call: 7.1"
  `);
});

test("prints the same after it was read", () => {
  const graph = { ...smallGraph() };
  const plain = { ...graph, outputs: graph.outputs.slice(0, 1) };
  const read = decode(exportModel(plain, options));
  const unnamed = (text: string): string => text.replaceAll('"float64 0.5"', "half");
  expect(unnamed(printGraph(read))).toBe(unnamed(printGraph(plain)));
});
