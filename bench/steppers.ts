/** Models that are loaded once and then take one step at a time: ours in a worker, PyTorch's beside. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import type { TracerData } from "../src/engine/tracerWorker.ts";
import { loaded } from "../src/trace/python/tracerPool.ts";
import type { Time } from "./measure.ts";
import type { StepData } from "./stepWorker.ts";

export interface Stepper {
  step(): Promise<Time>;
  end(): Promise<void>;
}

const stackSizeMb = 64;

export const ourStepper = (entry: string, data: StepData): Promise<Stepper> =>
  workerStepper(entry, data);

/** A worker that answers every message with the time of a step. */
export async function workerStepper(entry: string, data: TracerData): Promise<Stepper> {
  const worker = new Worker(entry, { workerData: data, env: {}, resourceLimits: { stackSizeMb } });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      worker.once("error", reject);
      worker.once("message", (message: T) => {
        worker.off("error", reject);
        resolve(message);
      });
    });
  const first = await next<unknown>();
  if (first !== loaded) throw new Error("the step worker did not load");
  return {
    step() {
      worker.postMessage("step");
      return next<Time>();
    },
    async end() {
      await worker.terminate();
    },
  };
}

export type PyTorchKind = "plain" | "hooks" | "torchlens";

/** `file`: bench/pytorch/steps.py or train.py, and what it takes. */
export async function pyTorchStepper(
  python: string,
  file: string,
  args: readonly string[],
): Promise<Stepper> {
  const child = spawn(python, [file, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file} ${args.join(" ")} ended: ${errors}`);
    return value;
  };
  await next();
  return {
    async step() {
      const before = cpuOf(child.pid);
      child.stdin.write("\n");
      const wall = Number(await next());
      return { wall, cpu: cpuOf(child.pid) - before };
    },
    async end() {
      child.kill();
    },
  };
}

/** Milliseconds that all threads of a process have run; NaN where the system does not tell. */
function cpuOf(pid: number | undefined): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((id) =>
      Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((a, b) => a + b, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}
