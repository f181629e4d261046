/** A worker that prepares training as the engine does, then times one step per message. */
import { parentPort, workerData } from "node:worker_threads";
import { prepareTraining } from "../src/engine/prepareTraining.ts";
import type { TracerData } from "../src/engine/tracerWorker.ts";
import { invariant } from "../src/errors.ts";
import type { TrainRequest } from "../src/protocol/training.ts";
import { openTraining } from "../src/runtime/training.ts";
import { runJob } from "../src/weights/jobs.ts";
import { serveSteps, startTracing } from "./tracing.ts";

export interface TrainData extends TracerData {
  readonly request: TrainRequest;
  /** Steps of one run of the graph, and of one message. */
  readonly stepsPerCall: number;
  readonly perMessage: number;
}

const data = workerData as TrainData;
const port = parentPort;
invariant(port, "this is a worker");

const { tracer, python } = await startTracing(data);
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
const prepared = prepareTraining(data.request, traced, {
  callsOf: () => ({ most: data.stepsPerCall, least: data.stepsPerCall }),
  fused: true,
});
const session = await openTraining(prepared.models, "cpu", { threads: data.threads });
let taken = 0;
serveSteps(port, async () => {
  const numbers = Array.from({ length: data.perMessage }, (_, at) => taken + 1 + at);
  taken += data.perMessage;
  const feeds = numbers.map((step) => {
    return {
      batches: [prepared.feeds(step, [])],
      coefficients: prepared.coefficients(step, schedule.lr),
    };
  });
  const { steps } = await session.take(feeds, []);
  for (const [at, results] of steps.entries())
    prepared.reader.step(results, { step: numbers[at] ?? 0, lr: schedule.lr });
});
