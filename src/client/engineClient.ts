/** Starts the engine process, sends it requests, cancels them, and replaces it when it dies. */
import { CancellationTokenSource, type RequestType, ResponseError } from "vscode-jsonrpc/node";
import { cancelled, engineDisposed, NormscopeError } from "../errors.ts";
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
import {
  countRequest,
  detailRequest,
  doctorRequest,
  exportRequest,
  memoryRequest,
  type Numbered,
  progressNotification,
  rewriteRequest,
  runRequest,
  stopNotification,
  surveyRequest,
  trainNotification,
  trainRequest,
} from "../protocol/messages.ts";
import type { MemoryEstimate, RunReport } from "../protocol/report.ts";
import type { RewriteAnswer, RewriteRequest } from "../protocol/rewrite.ts";
import type { FileSurvey, SurveyRequest } from "../protocol/survey.ts";
import type { TrainEvent, TrainReport, TrainRequest } from "../protocol/training.ts";
import { type EngineProcess, launchEngine } from "./launch.ts";

export interface EngineOptions {
  /** Absolute path of the bundled engine. */
  readonly enginePath: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folders whose Python environments may have the CUDA libraries; asked at each start. */
  readonly workspaces?: () => readonly string[];
  /** How long a cancelled request may take to stop by itself before the process is ended. */
  readonly graceMs?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onStage?: (stage: Stage) => void;
}

export interface TrainOptions extends RequestOptions {
  readonly onEvent?: (event: TrainEvent) => void;
  /** Ends the run after a step; it resolves with what it has. */
  readonly stop?: AbortSignal;
}

/** Requests reject with a NormscopeError; after a crash the next one starts a new process. */
export interface Engine {
  run(request: RunRequest, options?: RequestOptions): Promise<RunReport>;
  export(request: ExportRequest, options?: RequestOptions): Promise<ExportReport>;
  detail(request: DetailRequest, options?: RequestOptions): Promise<DetailReport>;
  /** What a run would hold; nothing of it is run. */
  memory(request: RunRequest, options?: RequestOptions): Promise<MemoryEstimate>;
  train(request: TrainRequest, options?: TrainOptions): Promise<TrainReport>;
  doctor(options?: RequestOptions): Promise<DoctorReport>;
  /** Nothing of the text is run. */
  rewrite(request: RewriteRequest, options?: RequestOptions): Promise<RewriteAnswer>;
  survey(request: SurveyRequest, options?: RequestOptions): Promise<FileSurvey>;
  count(request: CountRequest, options?: RequestOptions): Promise<CountReport>;
  /** Kills the process within this call; resolves when it is gone. */
  dispose(): Promise<void>;
}

/** Starts a process at once, so that it loads while the caller prepares its request. */
export function startEngine(options: EngineOptions): Engine {
  const { enginePath, env = {}, workspaces = () => [], graceMs = 300 } = options;
  const onStageOf = new Map<number, (stage: Stage) => void>();
  const onEventOf = new Map<number, (event: TrainEvent) => void>();
  let nRequests = 0;
  let isDisposed = false;
  let current: EngineProcess | null = null;

  function engine(): EngineProcess {
    if (current !== null) return current;
    const started = launchEngine(enginePath, env, workspaces());
    started.connection.onNotification(progressNotification, ({ number, stage }) =>
      onStageOf.get(number)?.(stage),
    );
    started.connection.onNotification(trainNotification, ({ number, event }) =>
      onEventOf.get(number)?.(event),
    );
    started.ended.catch(() => {
      if (current === started) current = null;
    });
    current = started;
    return started;
  }

  async function send<Request, Answer>(
    type: RequestType<Numbered<Request>, Answer, ErrorData>,
    request: Request,
    options: TrainOptions,
  ): Promise<Answer> {
    const { signal, onStage, onEvent, stop: stopTraining } = options;
    if (isDisposed) throw engineDisposed();
    if (signal?.aborted) throw cancelled();
    const number = nRequests++;
    if (onStage !== undefined) onStageOf.set(number, onStage);
    if (onEvent !== undefined) onEventOf.set(number, onEvent);
    const on = engine();
    const stopNow = () => void on.connection.sendNotification(stopNotification, { number });
    stopTraining?.addEventListener("abort", stopNow, { once: true });
    const stop = new CancellationTokenSource();
    const answer = on.connection.sendRequest(type, { number, request }, stop.token);
    let reject = (_reason: unknown) => {};
    const aborted = new Promise<never>((_, rejectAborted) => {
      reject = rejectAborted;
    });
    const abort = () => {
      stop.cancel();
      const timer = setTimeout(() => on.end(cancelled()), graceMs);
      const stopped = () => clearTimeout(timer);
      answer.then(stopped, stopped);
      reject(cancelled());
    };
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([answer, on.ended, aborted]);
    } catch (error) {
      const isWanted = !signal?.aborted && !stopTraining?.aborted && !isDisposed;
      const other = isCancelled(error) && isWanted;
      // The process was ended for the sake of another request: a request holds all that it needs.
      if (other) return await send(type, request, options);
      throw readable(error);
    } finally {
      signal?.removeEventListener("abort", abort);
      stopTraining?.removeEventListener("abort", stopNow);
      onStageOf.delete(number);
      onEventOf.delete(number);
    }
  }

  engine();
  return {
    run: (request, options = {}) => send(runRequest, request, options),
    export: (request, options = {}) => send(exportRequest, request, options),
    detail: (request, options = {}) => send(detailRequest, request, options),
    memory: (request, options = {}) => send(memoryRequest, request, options),
    train: (request, options = {}) => send(trainRequest, request, options),
    doctor: (options = {}) => send(doctorRequest, null, options),
    rewrite: (request, options = {}) => send(rewriteRequest, request, options),
    survey: (request, options = {}) => send(surveyRequest, request, options),
    count: (request, options = {}) => send(countRequest, request, options),
    async dispose() {
      isDisposed = true;
      const last = current;
      last?.end(engineDisposed());
      await last?.gone;
    },
  };
}

const readable = (error: unknown): unknown =>
  error instanceof ResponseError && error.data !== undefined ? errorFromData(error.data) : error;

const isCancelled = (error: unknown): boolean =>
  error instanceof NormscopeError && error.code === cancelled().code;
