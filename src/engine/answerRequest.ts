/** From a request to its answer, in the order of the design's stages. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { invariant } from "../errors.ts";
import type {
  DetailReport,
  DetailRequest,
  ExportReport,
  ExportRequest,
  RunRequest,
} from "../protocol/engine.ts";
import type { MemoryEstimate, RunReport } from "../protocol/report.ts";
import type { TrainReport, TrainRequest } from "../protocol/training.ts";
import { type FillJob, fillInWorkers } from "../random/generator.ts";
import { type Script, type TracedScript, workspaceOf } from "../trace/traceScript.ts";
import { isRead, runJob } from "../weights/jobs.ts";
import { detailProgram } from "./detailProgram.ts";
import { exportProgram, type OtherTrace, otherTrace, type Sizes } from "./exportProgram.ts";
import type { Fill } from "./fillParameters.ts";
import { memoryProgram } from "./memoryProgram.ts";
import { runProgram } from "./runProgram.ts";
import type { EstimateQuestion, RunQuestion, RuntimeAnswer } from "./runtimeQuestion.ts";
import { type TrainingLink, trainProgram } from "./trainProgram.ts";

export type Task =
  | { readonly kind: "run"; readonly request: RunRequest }
  | { readonly kind: "detail"; readonly request: DetailRequest }
  | { readonly kind: "memory"; readonly request: RunRequest }
  | { readonly kind: "train"; readonly request: TrainRequest }
  | {
      readonly kind: "export";
      readonly request: ExportRequest;
      /** For free axes; `sizes` are then those of this trace. */
      readonly other: OtherTrace | null;
      readonly sizes: Sizes | null;
    }
  /** Half of an export with free axes. */
  | { readonly kind: "trace"; readonly request: ExportRequest; readonly sizes: Sizes };

export type Answer =
  | RunReport
  | DetailReport
  | MemoryEstimate
  | ExportReport
  | TrainReport
  | OtherTrace;

export interface Stages {
  trace(script: Script): TracedScript;
  /** Starts filling parameters for the runs that are asked for later. */
  fill(fills: readonly Fill[]): void;
  ask(question: RunQuestion): RuntimeAnswer;
  /** Asks now, and waits when the result is called; meanwhile nothing else is asked. */
  begin(question: RunQuestion): () => RuntimeAnswer;
  progress(stage: string): void;
  /** null: nobody asks for an estimate here. */
  readonly estimate: ((question: EstimateQuestion) => MemoryEstimate) | null;
  /** null: nothing is trained here. */
  readonly training: TrainingLink | null;
  readonly fillWorker: string;
  readonly threads: number;
  /** Of Normscope. */
  readonly version: string;
}

export async function answerRequest(task: Task, stages: Stages): Promise<Answer> {
  const start = performance.now();
  stages.progress("trace");
  const isFile = task.request.file.endsWith(".onnx");
  const traced = isFile ? await readProgram(task) : stages.trace(scriptOf(task));
  const traceMs = performance.now() - start;
  if (task.kind === "trace") return otherTrace(task.request, traced);
  if (task.kind === "run") return runProgram(task.request, traced, stages, { start, traceMs });
  if (task.kind === "memory") return memoryProgram(task.request, traced, stages);
  if (task.kind === "detail") return detailProgram(task.request, traced, stages);
  await fillShared(traced, stages);
  if (task.kind === "train") {
    const { training } = stages;
    invariant(training, "the engine can train");
    return trainProgram(task.request, traced, { ...stages, training }, traceMs);
  }
  stages.progress("export");
  return exportProgram(task.request, traced, task.other);
}

/** The reader of ONNX files takes a while to load, and few need it. */
async function readProgram({ request: { root, file, seed } }: Task): Promise<TracedScript> {
  const { onnxProgram } = await import("./onnxProgram.ts");
  return onnxProgram(join(root, file), seed, root);
}

function scriptOf(task: Task): Script {
  const { root, file, packages, seed, mode, entry, set, inputs, loss } = task.request;
  const { weights = null, tokens = null, source = null } = task.request;
  const sizes = sizesOf(task);
  const trains = task.kind === "train" && task.request.training.task !== null;
  const plan = entry === null ? null : { entry, set, inputs, loss, sizes, trains };
  // A file that is exported is whole, and so is a model that trains.
  const mayKeepGoing = ["run", "detail", "memory"].includes(task.kind);
  const keepsGoing = mayKeepGoing && "keepGoing" in task.request && task.request.keepGoing;
  const workspace = workspaceOf(root, file, packages);
  const steps = task.kind === "train";
  const given = { weights, tokens, source, keepsGoing: keepsGoing === true, trains: steps };
  return { path: join(root, file), plan, workspace, seed, mode, ...given };
}

function sizesOf(task: Task): Readonly<Record<string, number>> | null {
  if (task.kind === "train") {
    const { batch, seq } = task.request.training;
    return { batch, seq };
  }
  return "sizes" in task ? task.sizes : null;
}

/** Makes the numbers of all parameters, in memory of this thread. */
async function fillShared(
  traced: TracedScript,
  { fillWorker, threads }: Pick<Stages, "fillWorker" | "threads">,
): Promise<void> {
  const jobs: { job: FillJob; out: Float32Array }[] = [];
  for (const { job, out } of traced.fills) {
    if (isRead(job)) runJob(job, out);
    else jobs.push({ job, out: out as Float32Array });
  }
  if (jobs.length > 0) await fillInWorkers(jobs, { worker: pathToFileURL(fillWorker), threads });
}
