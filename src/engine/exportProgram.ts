/** A traced program → ONNX files in the requested folder. */
import { readFileSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { addGradients } from "../autodiff/addGradients.ts";
import { exportModel } from "../graph/exportModel.ts";
import type { Graph, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { trialSizes, unify } from "../graph/unify.ts";
import type { ExportReport, ExportRequest } from "../protocol/engine.ts";
import { instrument } from "../stats/instrument.ts";
import type { TracedProgram } from "../trace/program.ts";
import type { TracedScript } from "../trace/traceScript.ts";

/** What `exportProgram` would export, at other sizes and without what cannot go to another thread. */
export interface OtherTrace {
  readonly graph: Graph;
}

export type Sizes = (typeof trialSizes)["first" | "second"];

/** `other`: the same model at `trialSizes.second`, this one being at the first; null: fixed sizes. */
export async function exportProgram(
  request: ExportRequest,
  traced: TracedScript,
  other: OtherTrace | null,
): Promise<ExportReport> {
  const { program } = traced;
  const { graph, given, gradientOf } = graphToExport(request, traced);
  const free =
    other === null ? null : unify(graph, other.graph, trialSizes.first, trialSizes.second);
  const exported = exportModel(free?.graph ?? graph, {
    weights: request.storage,
    externalName: `${request.name}.data`,
    given,
    gradientOf,
    classes: new Map(program.modules.map((module) => [module.path, module.class])),
    sourceLine: lineReader(),
    ...(free === null ? {} : { dims: free.dims }),
  });
  const files = [await write(request, request.name, [exported.bytes])];
  if (exported.external !== null)
    files.push(await write(request, `${request.name}.data`, exported.external));
  return { files, nodes: graph.nodes.length, parameters: parameterCount(program) };
}

/** Gradient rules are functions: they stay in their thread. */
export function otherTrace(request: ExportRequest, traced: TracedScript): OtherTrace {
  const { graph } = graphToExport(request, traced);
  const nodes = graph.nodes.map((node) => ({
    ...node,
    origin: { direction: node.origin.direction, call: node.origin.call, group: null },
  }));
  return { graph: { ...graph, nodes } };
}

/** What the model returns, and on request its loss, gradients and statistics. */
function graphToExport(request: ExportRequest, traced: TracedScript) {
  const { program, emit, hooks } = traced;
  const given = new Map<Value, string>();
  const outputs = modelOutputs(program);
  for (const { key, value } of outputs) given.set(value, key);
  const wanted = outputs.map(({ value }) => value);
  let { graph } = program;
  let gradientOf: (value: Value) => Value | null = () => null;
  if (request.backward && program.backward) {
    ({ graph, gradientOf } = addGradients(program.graph, program.loss, emit, hooks));
    given.set(program.loss, "loss");
    wanted.push(program.loss);
    for (const { value } of program.parameters) {
      const gradient = value && gradientOf(value);
      if (gradient) wanted.push(gradient);
    }
  }
  graph = prune({ ...graph, outputs: [...new Set(wanted)] });
  if (request.statistics)
    graph = instrument(
      graph,
      program.values.map(({ value, masked }) => ({ value, masked })),
    ).graph;
  return { graph, given, gradientOf };
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
