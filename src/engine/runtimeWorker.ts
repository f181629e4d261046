/** The worker that holds ONNX Runtime: `session.run` blocks its thread and no other. */
import { availableParallelism } from "node:os";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../errors.ts";
import type { Device } from "../protocol/engine.ts";
import type { MemoryEstimate, MemoryReport } from "../protocol/report.ts";
import { findDriver } from "../runtime/cuda/driver.ts";
import { chooseProvider, type ProviderChoice } from "../runtime/providers.ts";
import { createRuntime } from "../runtime/run.ts";
import { type FilledById, type FillThreads, fillParameters } from "./fillParameters.ts";
import { checkMemory, estimateMemory, type MemoryQuestion, measuredBytes } from "./memoryCheck.ts";
import type {
  EstimateQuestion,
  RunQuestion,
  RuntimeAnswer,
  RuntimeQuestion,
} from "./runtimeQuestion.ts";
import { isTraining, trainingAnswerer } from "./runtimeTraining.ts";
import { threadsOfShort } from "./shortRuns.ts";
import { answerSync, type SyncPort } from "./syncPort.ts";
import type { TrainingQuestion } from "./trainingQuestion.ts";

export interface RuntimeData {
  readonly fill: FillThreads;
}

const { fill } = workerData as RuntimeData;
const runtime = createRuntime();
const fewThreads = threadsOfShort(availableParallelism());
const shortRuntime = fewThreads === null ? runtime : createRuntime({ threads: fewThreads });
const chosen = new Map<Device, Promise<ProviderChoice>>();

/** Trying a provider takes a process of its own: once for each device. */
function choose(device: Device): Promise<ProviderChoice> {
  const known = chosen.get(device) ?? chooseProvider(device);
  chosen.set(device, known);
  known.catch(() => chosen.delete(device));
  return known;
}

/** The GPU that a session of CUDA is on is the first. */
function placeOf(provider: string): { name: string; gpuFreeBytes: number | null } {
  const [gpu] = provider === "cuda" ? findDriver(process.env).gpus : [];
  return { name: gpu?.name ?? "this machine", gpuFreeBytes: gpu?.freeBytes ?? null };
}

function checked(question: MemoryQuestion, provider: string): MemoryReport {
  const { name, gpuFreeBytes } = placeOf(provider);
  return checkMemory(question, name, gpuFreeBytes);
}

async function estimate({ device, memory }: EstimateQuestion): Promise<MemoryEstimate> {
  const { provider } = await choose(device);
  const { name, gpuFreeBytes } = placeOf(provider);
  return estimateMemory(memory, name, gpuFreeBytes);
}

async function run(
  { model, device, memory, isShort = false }: RunQuestion,
  filling: Promise<FilledById>,
): Promise<RuntimeAnswer> {
  const { provider, passedOver } = await choose(device);
  const expected = memory === undefined ? null : checked(memory, provider);
  const start = performance.now();
  const session = await (isShort ? shortRuntime : runtime).openSession(model, provider);
  const opened = performance.now();
  try {
    const filled = [...(await filling).values()];
    const fed = performance.now();
    const results = await session.run(new Map(filled.map(({ id, numbers }) => [id, numbers])));
    const runMs = performance.now() - fed;
    const measured = memory && provider === "cpu" ? measuredBytes(memory.before) : null;
    return {
      results,
      filled: new Map(filled.map(({ id, moments }) => [id, moments])),
      device: { requested: device, provider, passedOver, elsewhere: session.elsewhere() },
      memory: expected && { ...expected, measuredBytes: measured },
      sessionMs: opened - start,
      runMs,
    };
  } finally {
    await session.release();
  }
}

/** Answers one tracer: what it had filled is kept for its later questions. */
function answerer() {
  let filling: Promise<FilledById> = Promise.resolve(new Map());
  const train = trainingAnswerer(choose);
  return (question: RuntimeQuestion | TrainingQuestion): Promise<unknown> | null => {
    if (isTraining(question)) return train(question);
    if (question.kind === "run") return run(question, filling);
    if (question.kind === "estimate") return estimate(question);
    filling = later(() => fillParameters(question.fills, fill));
    // A failure belongs to the run that waits for it.
    filling.catch(() => undefined);
    return null;
  };
}

/** After the answer that is being given. */
const later = <T>(work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    setImmediate(() => work().then(resolve, reject));
  });

invariant(parentPort, "the runtime runs in a worker");
parentPort.on("message", (port: SyncPort) => answerSync(port, answerer()));
