/** A worker that prepares training as the engine does, then times one step per message. */
import { parentPort, workerData } from "node:worker_threads";
import { prepareTraining } from "../src/engine/prepareTraining.ts";
import type { TracerData } from "../src/engine/tracerWorker.ts";
import { invariant } from "../src/errors.ts";
import type { TrainRequest } from "../src/protocol/training.ts";
import { openTraining } from "../src/runtime/training.ts";
import { startPython } from "../src/trace/python/boot.ts";
import { loaded } from "../src/trace/python/tracerPool.ts";
import { createTracer } from "../src/trace/traceScript.ts";
import { runJob } from "../src/weights/jobs.ts";
import type { StepTime } from "./stepWorker.ts";

export interface TrainData extends TracerData {
  readonly request: TrainRequest;
}

const data = workerData as TrainData;
const port = parentPort;
invariant(port, "this is a worker");

const tracer = createTracer({
  evaluate: () => {
    throw new Error("the bench's models ask for no numbers");
  },
});
const python = await startPython({
  assets: data.assets,
  host: tracer.host as never,
  print: () => undefined,
});
const { root, file, entry, set, training } = data.request;
const { batch, seq, schedule } = training;
const traced = tracer.run(python, {
  path: `${root}/${file}`,
  plan: {
    entry: entry ?? "",
    set,
    inputs: [],
    loss: null,
    sizes: { batch, seq },
    trains: true,
  },
  workspace: { root, scriptFolder: root },
  seed: 0,
  mode: "train",
});
for (const { job, out } of traced.fills) runJob(job, out);
const prepared = prepareTraining(data.request, traced);
const session = await openTraining(prepared.models, "cpu", { threads: data.threads });
let steps = 0;
port.on("message", async () => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  steps++;
  const results = await session.step(
    [prepared.feeds(steps, [])],
    prepared.coefficients(steps, schedule.lr),
  );
  session.commit();
  prepared.reader.step(results, { step: steps, lr: schedule.lr });
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  port.postMessage({ wall, cpu: (user + system) / 1000 } satisfies StepTime);
});
port.postMessage(loaded);
