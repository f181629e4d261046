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
const prepared = prepareTraining(data.request, traced);
const session = await openTraining(prepared.models, "cpu", { threads: data.threads });
let steps = 0;
serveSteps(port, async () => {
  steps++;
  const results = await session.step(
    [prepared.feeds(steps, [])],
    prepared.coefficients(steps, schedule.lr),
  );
  session.commit();
  prepared.reader.step(results, { step: steps, lr: schedule.lr });
});
