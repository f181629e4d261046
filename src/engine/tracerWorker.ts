/** The worker that holds Python: one script each, from its source to its report. */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../errors.ts";
import type { CountReport, CountRequest } from "../protocol/count.ts";
import { errorData } from "../protocol/engine.ts";
import type { MemoryEstimate } from "../protocol/report.ts";
import type { RewriteAnswer, RewriteRequest } from "../protocol/rewrite.ts";
import type { FileSurvey, SurveyRequest } from "../protocol/survey.ts";
import type { TrainEvent } from "../protocol/training.ts";
import { encodeForRun } from "../runtime/encodeForRun.ts";
import { countModels } from "../trace/countModels.ts";
import { printedIn } from "../trace/printed.ts";
import { type PythonInstance, startPython } from "../trace/python/boot.ts";
import { writeCompiled } from "../trace/python/compiled.ts";
import { loaded } from "../trace/python/tracerPool.ts";
import { rewriteText } from "../trace/rewriteFile.ts";
import { surveyFile } from "../trace/surveyFile.ts";
import { createTracer, workspaceOf } from "../trace/traceScript.ts";
import { answerRequest, type Task } from "./answerRequest.ts";
import { createEvaluator } from "./evaluateOnDemand.ts";
import type { Fill } from "./fillParameters.ts";
import type { EstimateQuestion, RunQuestion, RuntimeAnswer } from "./runtimeQuestion.ts";
import { askSync, beginSync, type SyncPort } from "./syncPort.ts";
import type { TrainingAnswer, TrainingQuestion } from "./trainingQuestion.ts";
import { warmUp } from "./warmUp.ts";

/** What a tracer is asked for. */
export type AnyTask =
  | Task
  | { readonly kind: "survey"; readonly request: SurveyRequest }
  | { readonly kind: "count"; readonly request: CountRequest }
  | { readonly kind: "rewrite"; readonly request: RewriteRequest };

export interface TracerData {
  /** The folder that the build wrote for Python. */
  readonly assets: string;
  readonly fillWorker: string;
  readonly threads: number;
  /** Of Normscope. */
  readonly version: string;
  /** After the answer, keeps what was compiled for it (see compiled.ts). */
  readonly keepsCompiled: boolean;
}

const data = workerData as TracerData;
invariant(parentPort, "the tracer runs in a worker");
const port = parentPort;

let runtime: SyncPort | null = null;
let device: RunQuestion["device"] = "auto";

function connected(): SyncPort {
  invariant(runtime, "the runtime is connected");
  return runtime;
}

const ask = (question: RunQuestion): RuntimeAnswer => askSync(connected(), question);

const begin = (question: RunQuestion): (() => RuntimeAnswer) => beginSync(connected(), question);

const estimate = (question: EstimateQuestion): MemoryEstimate => askSync(connected(), question);

const askTraining = <Q extends TrainingQuestion>(question: Q): TrainingAnswer<Q> =>
  askSync(connected(), question);

/** What the main thread sends. */
interface Asked {
  readonly request: AnyTask;
  readonly runtimePort: SyncPort;
  /** One 32-bit number: not 0 where training is to end. */
  readonly stop: SharedArrayBuffer;
}

function fill(fills: readonly Fill[]): void {
  askSync(connected(), { kind: "fill", fills });
}

const evaluate = createEvaluator(
  (graph) => ask({ kind: "run", model: encodeForRun(graph), device }).results,
);
const tracer = createTracer({ evaluate });

/** Somebody who waits for this tracer asks at once. */
const idleMs = 1000;

/** No top-level await: the bundle is CommonJS. */
async function start(): Promise<void> {
  const python = await startPython({
    assets: data.assets,
    host: tracer.host as never,
  });

  const idle = setTimeout(warmUp, idleMs);
  port.on("message", async ({ request, runtimePort, stop }: Asked) => {
    clearTimeout(idle);
    runtime = runtimePort;
    device = "device" in request.request ? request.request.device : "cpu";
    const trace = (script: Parameters<typeof tracer.run>[1]) => tracer.run(python, script);
    const progress = (stage: string) => port.postMessage({ kind: "stage", stage });
    const tell = (event: TrainEvent) => port.postMessage({ kind: "train", event });
    const stopped = new Int32Array(stop);
    const isStopped = () => Atomics.load(stopped, 0) !== 0;
    try {
      const training = { ask: askTraining, tell, isStopped };
      const stages = { trace, fill, ask, begin, estimate, progress, training, ...data };
      const answer =
        request.kind === "survey" || request.kind === "count" || request.kind === "rewrite"
          ? answerOfPython(python, request)
          : await answerRequest(request, stages);
      if (data.keepsCompiled) writeCompiled();
      port.postMessage({ kind: "answer", answer });
    } catch (error) {
      const printed = printedIn(python, rootOf(request));
      port.postMessage({ kind: "error", error: { ...errorData(error), printed } });
    }
  });
  port.postMessage(loaded);
}

/** The folder that places are named from. */
const rootOf = ({ request }: AnyTask): string => ("root" in request ? request.root : "/");

/** What only Python is needed for. */
function answerOfPython(
  python: PythonInstance,
  task: Extract<AnyTask, { kind: "survey" | "count" | "rewrite" }>,
): FileSurvey | CountReport | RewriteAnswer {
  if (task.kind === "survey") return survey(python, task.request);
  if (task.kind === "rewrite") {
    return rewriteText(python, task.request) as unknown as RewriteAnswer;
  }
  const { root, models } = task.request;
  return countModels(python, root, models) as unknown as CountReport;
}

function survey(python: PythonInstance, { root, file, packages }: SurveyRequest): FileSurvey {
  const found = surveyFile(python, join(root, file), workspaceOf(root, file, packages));
  return found as unknown as FileSurvey;
}

void start();
