/** The worker that holds Python: one script each, from its source to its report. */
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../errors.ts";
import { encodeModel } from "../graph/encode.ts";
import { errorData } from "../protocol/engine.ts";
import { startPython } from "../trace/python/boot.ts";
import { loaded } from "../trace/python/tracerPool.ts";
import { createTracer } from "../trace/traceScript.ts";
import { answerRequest, type Task } from "./answerRequest.ts";
import { createEvaluator } from "./evaluateOnDemand.ts";
import type { RuntimeAnswer, RuntimeQuestion } from "./runtimeQuestion.ts";
import { askSync, type SyncPort } from "./syncPort.ts";

export interface TracerData {
  /** The folder that the build wrote for Python. */
  readonly assets: string;
  readonly fillWorker: string;
  readonly threads: number;
  /** Of Normscope. */
  readonly version: string;
}

const data = workerData as TracerData;
invariant(parentPort, "the tracer runs in a worker");
const port = parentPort;

let runtime: SyncPort | null = null;
let device: RuntimeQuestion["device"] = "auto";

function ask(question: RuntimeQuestion): RuntimeAnswer {
  invariant(runtime, "the runtime is connected");
  return askSync(runtime, question);
}

const evaluate = createEvaluator((graph) => ask({ model: encodeModel(graph), device }).results);
const tracer = createTracer({ evaluate });
const python = await startPython({
  assets: data.assets,
  host: tracer.host as never,
  print: (stream, text) => port.postMessage({ kind: "print", stream, text }),
});

port.on("message", async ({ request, runtimePort }: { request: Task; runtimePort: SyncPort }) => {
  runtime = runtimePort;
  device = "device" in request.request ? request.request.device : "cpu";
  const trace = (script: Parameters<typeof tracer.run>[1]) => tracer.run(python, script);
  const progress = (stage: string) => port.postMessage({ kind: "stage", stage });
  try {
    const answer = await answerRequest(request, { trace, ask, progress, ...data });
    port.postMessage({ kind: "answer", answer });
  } catch (error) {
    port.postMessage({ kind: "error", error: errorData(error) });
  }
});
port.postMessage(loaded);
