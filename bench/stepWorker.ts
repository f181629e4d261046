/** A worker that traces a script as the engine does, then times one step of its graph per message. */
import { parentPort, workerData } from "node:worker_threads";
import { addGradients } from "../src/autodiff/addGradients.ts";
import { answerRequest, type Stages } from "../src/engine/answerRequest.ts";
import { type Fill, fillOne } from "../src/engine/fillParameters.ts";
import { runParameters } from "../src/engine/runParameters.ts";
import type { TracerData } from "../src/engine/tracerWorker.ts";
import { invariant } from "../src/errors.ts";
import type { EncodedModel } from "../src/graph/encode.ts";
import { prune } from "../src/graph/prune.ts";
import type { Numbers } from "../src/graph/tensor.ts";
import { sliceAxis } from "../src/ops/write.ts";
import type { RunRequest } from "../src/protocol/engine.ts";
import { createRuntime } from "../src/runtime/run.ts";
import { serveSteps, startTracing } from "./tracing.ts";

export interface StepData extends TracerData {
  readonly request: RunRequest;
  /** Forward and backward with all statistics, or without any. */
  readonly statistics: boolean;
}

const data = workerData as StepData;
const port = parentPort;
invariant(port, "this is a worker");

const { tracer, python } = await startTracing(data);
/** What the engine's runtime would have filled, by value id. */
const filled = new Map<number, Numbers>();
const model = data.statistics ? await instrumentedModel() : plainModel();
const session = await createRuntime({ threads: data.threads }).openSession(model, "cpu");
serveSteps(port, async () => void (await session.run(filled)));

function fill(fills: readonly Fill[]): void {
  for (const one of fills) filled.set(one.id, fillOne(one).numbers);
}

/** What the engine would run. */
async function instrumentedModel(): Promise<EncodedModel> {
  let asked: EncodedModel | null = null;
  const captured = new Error("captured");
  const ask = (question: { readonly model: EncodedModel }): never => {
    asked = question.model;
    throw captured;
  };
  const trace: Stages["trace"] = (script) => tracer.run(python, script);
  const task = { kind: "run", request: data.request } as const;
  await answerRequest(task, {
    ...data,
    trace,
    fill,
    ...{ ask, begin: ask },
    progress: () => undefined,
    estimate: null,
    training: null,
  }).catch((error) => {
    if (error !== captured) throw error;
  });
  invariant(asked, "the engine ran a model");
  return asked;
}

/** Forward and backward; of each parameter's gradient one row is given out, so that it is computed. */
function plainModel(): EncodedModel {
  const { root, file } = data.request;
  const traced = tracer.run(python, {
    path: `${root}/${file}`,
    plan: null,
    workspace: { root, scriptFolder: root },
    seed: 0,
    mode: null,
  });
  const { program, emit } = traced;
  const parameters = runParameters(traced);
  fill(parameters.fills);
  const { graph, gradientOf } = addGradients(program.graph, program.loss, emit);
  const rows = program.parameters.flatMap(({ value }) => {
    const gradient = value && gradientOf(value);
    return gradient ? [sliceAxis(emit, gradient, 0, 0, 1)] : [];
  });
  const outputs = [program.loss, ...rows];
  return parameters.encode(prune({ ...graph, nodes: emit.nodes, outputs }));
}
