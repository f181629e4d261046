/** A traced program → ONNX files in the requested folder. */
import { readFileSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { addGradients } from "../autodiff/addGradients.ts";
import { exportModel } from "../graph/exportModel.ts";
import type { Graph, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { type UnifiedGraph, unify } from "../graph/unify.ts";
import type { ExportReport, ExportRequest } from "../protocol/engine.ts";
import { instrument } from "../stats/instrument.ts";
import type { TracedProgram } from "../trace/program.ts";
import type { TracedScript } from "../trace/traceScript.ts";

/** A second trace of the same model at other sizes. */
export interface OtherTrace {
  readonly graph: Graph;
  readonly sizes: Sizes;
}

export type Sizes = Readonly<Record<string, number>>;

export async function exportProgram(
  request: ExportRequest,
  traced: TracedScript,
  other: OtherTrace | null,
): Promise<ExportReport> {
  const { program } = traced;
  const { graph, given, gradients } = graphToExport(request, traced);
  const free = other === null ? null : freeSizes(program, graph, other);
  const exported = exportModel(free?.graph ?? graph, {
    weights: request.weights,
    externalName: `${request.name}.data`,
    given,
    gradientOf: (value) => gradients.get(value) ?? null,
    classes: new Map(program.modules.map((module) => [module.path, module.class])),
    sourceLine: lineReader(),
    ...(free === null ? {} : { dims: free.dims }),
  });
  const files = [await write(request, request.name, [exported.bytes])];
  if (exported.external !== null)
    files.push(await write(request, `${request.name}.data`, exported.external));
  return { files, nodes: graph.nodes.length, parameters: parameterCount(program) };
}

/** What the model returns, and on request its loss, gradients and statistics. */
function graphToExport(request: ExportRequest, traced: TracedScript) {
  const { program, emit, hooks } = traced;
  const given = new Map<Value, string>();
  const outputs = modelOutputs(program);
  for (const { key, value } of outputs) given.set(value, key);
  const gradients = new Map<Value, Value>();
  const wanted = outputs.map(({ value }) => value);
  let { graph } = program;
  if (request.backward && program.backward) {
    const { graph: both, gradientOf } = addGradients(program.graph, program.loss, emit, hooks);
    graph = both;
    given.set(program.loss, "loss");
    wanted.push(program.loss);
    for (const { value } of program.parameters) {
      const gradient = value && gradientOf(value);
      if (value === null || !gradient) continue;
      gradients.set(gradient, value);
      wanted.push(gradient);
    }
  }
  graph = prune({ ...graph, outputs: [...new Set(wanted)] });
  if (request.statistics)
    graph = instrument(
      graph,
      program.values.map(({ value, masked }) => ({ value, masked })),
    ).graph;
  return { graph, given, gradients };
}

function modelOutputs(program: TracedProgram): { key: string; value: Value }[] {
  const call = program.modules.find(({ path }) => path === "")?.calls.at(-1);
  const outputs = call?.outputs ?? [];
  if (outputs.length === 0) return [{ key: "loss", value: program.loss }];
  return outputs.map(({ key, value }) => ({
    key: key === "" ? "output" : `output${key}`,
    value,
  }));
}

function freeSizes(program: TracedProgram, graph: Graph, other: OtherTrace): UnifiedGraph {
  const [batch, seq] = program.inputs[0]?.shape ?? [];
  return unify(graph, other.graph, { batch: batch ?? 1, seq: seq ?? 1 }, other.sizes);
}

const parameterCount = (program: TracedProgram): number =>
  program.parameters.reduce((n, { shape }) => n + shape.reduce((size, axis) => size * axis, 1), 0);

function lineReader(): (file: string, line: number) => string | null {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    let lines = files.get(file);
    if (lines === undefined) {
      lines = readLines(file);
      files.set(file, lines);
    }
    return lines[line - 1]?.trim() ?? null;
  };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** Under another name first: a file of that name is whole or not there. */
async function write(request: ExportRequest, name: string, pieces: Iterable<Uint8Array>) {
  const target = join(request.directory, name);
  const partial = `${target}.partial`;
  try {
    const file = await open(partial, "w");
    try {
      for (const piece of pieces) await file.writeFile(piece);
    } finally {
      await file.close();
    }
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { name, bytes: (await stat(target)).size };
}
