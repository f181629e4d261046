/** From a request to its answer, in the order of the design's stages. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Graph } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import type { ExportReport, ExportRequest, RunRequest } from "../protocol/engine.ts";
import type { RunReport } from "../protocol/report.ts";
import { fillInWorkers } from "../random/generator.ts";
import type { TracedProgram } from "../trace/program.ts";
import { type Script, type TracedScript, workspaceOf } from "../trace/traceScript.ts";
import { exportProgram, type OtherTrace, type Sizes } from "./exportProgram.ts";
import { runProgram } from "./runProgram.ts";
import type { RuntimeAnswer, RuntimeQuestion } from "./runtimeQuestion.ts";

export type Task =
  | { readonly kind: "run"; readonly request: RunRequest }
  | {
      readonly kind: "export";
      readonly request: ExportRequest;
      readonly other: OtherTrace | null;
    }
  /** The forward graph at other sizes: half of an export with free axes. */
  | { readonly kind: "trace"; readonly request: ExportRequest; readonly sizes: Sizes };

export type Answer = RunReport | ExportReport | OtherTrace;

export interface Stages {
  trace(script: Script): TracedScript;
  ask(question: RuntimeQuestion): RuntimeAnswer;
  progress(stage: string): void;
  readonly fillWorker: string;
  readonly threads: number;
  /** Of Normscope. */
  readonly version: string;
}

export async function answerRequest(task: Task, stages: Stages): Promise<Answer> {
  const start = performance.now();
  stages.progress("trace");
  const traced = stages.trace(scriptOf(task));
  const traceMs = performance.now() - start;
  if (task.kind === "trace") return { graph: withoutRules(traced.program), sizes: task.sizes };
  await fillParameters(traced, stages);
  if (task.kind === "run") return runProgram(task.request, traced, stages, { start, traceMs });
  stages.progress("export");
  return exportProgram(task.request, traced, task.other);
}

function scriptOf(task: Task): Script {
  const { root, file, packages, seed, mode, entry, set, inputs, loss } = task.request;
  const sizes = task.kind === "trace" ? task.sizes : null;
  const plan = entry === null ? null : { entry, set, inputs, loss, sizes };
  return { path: join(root, file), plan, workspace: workspaceOf(root, file, packages), seed, mode };
}

/** Gradient rules are functions, which cannot go to another thread; an export needs none. */
function withoutRules({ graph, modules, loss }: TracedProgram): Graph {
  const outputs = modules.find(({ path }) => path === "")?.calls.at(-1)?.outputs;
  const nodes = graph.nodes.map((node) => ({ ...node, origin: { ...node.origin, group: null } }));
  const wanted = outputs?.length ? outputs.map(({ value }) => value) : [loss];
  return prune({ ...graph, nodes, outputs: [...new Set(wanted)] });
}

async function fillParameters(
  traced: TracedScript,
  { fillWorker, threads }: Stages,
): Promise<void> {
  const jobs = traced.fills.map(({ job, out }) => ({ job, out: out as Float32Array }));
  if (jobs.length > 0) await fillInWorkers(jobs, { worker: pathToFileURL(fillWorker), threads });
}
