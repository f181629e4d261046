/** The stages from a request to its answer, as the engine's main thread sees them: two workers. */
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { cancelled, engineEnded, noRuntime, sizesOfScript } from "../errors.ts";
import { trialSizes } from "../graph/unify.ts";
import type { CountReport, CountRequest } from "../protocol/count.ts";
import {
  type DetailReport,
  type DetailRequest,
  type DoctorReport,
  type ErrorData,
  type ExportReport,
  type ExportRequest,
  errorFromData,
  type RunRequest,
  type Stage,
} from "../protocol/engine.ts";
import type { MemoryEstimate, RunReport } from "../protocol/report.ts";
import type { RewriteAnswer, RewriteRequest } from "../protocol/rewrite.ts";
import type { FileSurvey, SurveyRequest } from "../protocol/survey.ts";
import type { TrainEvent, TrainReport, TrainRequest } from "../protocol/training.ts";
import { missingRuntime } from "../runtime/installed.ts";
import { compilePython, tracerPool } from "../trace/python/tracerPool.ts";
import type { Answer } from "./answerRequest.ts";
import { doctor, packageVersion } from "./doctor.ts";
import type { OtherTrace } from "./exportProgram.ts";
import type { RuntimeData } from "./runtimeWorker.ts";
import { syncChannel } from "./syncPort.ts";
import type { AnyTask, TracerData } from "./tracerWorker.ts";

export type Progress = (stage: Stage) => void;

/**
 * One request at a time. Where `signal` fires while Python is being traced, the tracer is ended and
 * the promise rejects with `cancelled()`; where it fires while the runtime works, nothing needs to
 * happen: the client ends the process.
 */
export interface Pipeline {
  run(request: RunRequest, progress: Progress, signal: AbortSignal): Promise<RunReport>;
  export(request: ExportRequest, progress: Progress, signal: AbortSignal): Promise<ExportReport>;
  detail(request: DetailRequest, progress: Progress, signal: AbortSignal): Promise<DetailReport>;
  memory(request: RunRequest, progress: Progress, signal: AbortSignal): Promise<MemoryEstimate>;
  /** `stop` ends the run after a step, with its report. */
  train(request: TrainRequest, telling: Telling, signal: AbortSignal): Promise<TrainReport>;
  doctor(): Promise<DoctorReport>;
  rewrite(request: RewriteRequest, progress: Progress, signal: AbortSignal): Promise<RewriteAnswer>;
  survey(request: SurveyRequest, progress: Progress, signal: AbortSignal): Promise<FileSurvey>;
  count(request: CountRequest, progress: Progress, signal: AbortSignal): Promise<CountReport>;
  dispose(): Promise<void>;
}

export interface Telling {
  readonly progress: Progress;
  readonly tell: (event: TrainEvent) => void;
  readonly stop: AbortSignal;
}

type FromTracer =
  | { readonly kind: "train"; readonly event: TrainEvent }
  | { readonly kind: "stage"; readonly stage: Stage }
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "error"; readonly error: ErrorData };

export function createPipeline({ keepsCompiled = false } = {}): Pipeline {
  const dist = dirname(fileURLToPath(import.meta.url));
  const threads = Math.max(1, availableParallelism());
  const data: TracerData = {
    assets: join(dist, "python"),
    fillWorker: join(dist, "fillWorker.mjs"),
    threads,
    version: packageVersion(join(dist, "..", "package.json")),
    keepsCompiled,
  };
  const tracers = tracerPool(join(dist, "tracer.mjs"), data);
  tracers.prepare();
  // Where it fails, so will the tracers, and say why.
  compilePython(data.assets).catch(() => undefined);
  const fill = { worker: join(dist, "parameterWorker.mjs"), threads };
  const missing = missingRuntime();
  const startRuntime = () =>
    new Worker(join(dist, "runtime.mjs"), { workerData: { fill } satisfies RuntimeData });
  const runtime = missing === null ? startRuntime() : null;

  async function answer<A extends Answer | FileSurvey | CountReport | RewriteAnswer>(
    task: AnyTask,
    progress: Progress,
    signal: AbortSignal,
    training: Omit<Telling, "progress"> | null = null,
  ): Promise<A> {
    const runs = !["survey", "count", "rewrite"].includes(task.kind);
    if (runtime === null && runs) throw noRuntime(missing ?? "");
    progress("start");
    const tracer = await tracers.take();
    const { asker, answerer } = syncChannel();
    runtime?.postMessage(answerer, [answerer.port]);
    const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const stopNow = () => Atomics.store(new Int32Array(stop), 0, 1);
    training?.stop.addEventListener("abort", stopNow);
    try {
      return await new Promise((resolve, reject) => {
        let tracing = true;
        signal.addEventListener("abort", () => {
          if (tracing) reject(cancelled());
        });
        tracer.on("message", (message: FromTracer) => {
          if (message.kind === "stage") {
            tracing = message.stage === "trace";
            progress(message.stage);
          } else if (message.kind === "train") training?.tell(message.event);
          else if (message.kind === "answer") resolve(message.answer as A);
          else if (message.kind === "error") reject(errorFromData(message.error));
        });
        tracer.on("error", reject);
        tracer.on("exit", () => reject(engineEnded("the tracer ended", null)));
        tracer.postMessage({ request: task, runtimePort: asker, stop }, [asker.port]);
      });
    } finally {
      void tracer.terminate();
      tracers.prepare();
    }
  }

  return {
    run: (request, progress, signal) => answer({ kind: "run", request }, progress, signal),
    train: (request, { progress, ...training }, signal) =>
      answer({ kind: "train", request }, progress, signal, training),
    detail: (request, progress, signal) => answer({ kind: "detail", request }, progress, signal),
    memory: (request, progress, signal) => answer({ kind: "memory", request }, progress, signal),
    async export(request, progress, signal) {
      if (!request.dynamic)
        return answer({ kind: "export", request, other: null, sizes: null }, progress, signal);
      if (request.entry === null) throw sizesOfScript(request.file);
      const { first, second } = trialSizes;
      const trace = { kind: "trace", request, sizes: second } as const;
      const other = await answer<OtherTrace>(trace, progress, signal);
      return answer({ kind: "export", request, other, sizes: first }, progress, signal);
    },
    doctor,
    rewrite: (request, progress, signal) => answer({ kind: "rewrite", request }, progress, signal),
    survey: (request, progress, signal) => answer({ kind: "survey", request }, progress, signal),
    count: (request, progress, signal) => answer({ kind: "count", request }, progress, signal),
    async dispose() {
      await tracers.dispose();
      await runtime?.terminate();
    },
  };
}
