/** From a request to its answer, in the order of the design's stages. */
import type { RunRequest } from "../protocol/engine.ts";
import type { RunReport } from "../protocol/report.ts";
import { fillInWorkers } from "../random/generator.ts";
import { type Script, type TracedScript, workspaceOf } from "../trace/traceScript.ts";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RuntimeAnswer, RuntimeQuestion } from "./runtimeQuestion.ts";
import { runProgram } from "./runProgram.ts";

export type Task = { readonly kind: "run"; readonly request: RunRequest };

export interface Stages {
  trace(script: Script): TracedScript;
  ask(question: RuntimeQuestion): RuntimeAnswer;
  progress(stage: string): void;
  readonly fillWorker: string;
  readonly threads: number;
}

export async function answerRequest(task: Task, stages: Stages): Promise<RunReport> {
  const start = performance.now();
  const { request } = task;
  stages.progress("trace");
  const traced = stages.trace(scriptOf(request));
  const traceMs = performance.now() - start;
  await fillParameters(traced, stages);
  return runProgram(request, traced, stages, { start, traceMs });
}

function scriptOf(request: RunRequest): Script {
  const { root, file, packages, seed, mode, entry, set, inputs, loss } = request;
  const plan = entry === null ? null : { entry, set, inputs, loss };
  return { path: join(root, file), plan, workspace: workspaceOf(root, file, packages), seed, mode };
}

async function fillParameters(traced: TracedScript, { fillWorker, threads }: Stages): Promise<void> {
  const jobs = traced.fills.map(({ job, out }) => ({ job, out: out as Float32Array }));
  if (jobs.length > 0) await fillInWorkers(jobs, { worker: pathToFileURL(fillWorker), threads });
}
