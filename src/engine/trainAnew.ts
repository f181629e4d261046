/**
 * Training of a model whose Python looks at numbers that steps change: tokens that are routed, layers
 * that are dropped, a step that is counted. Python runs again for every step, and each has a graph of
 * its own.
 */
import { invariant } from "../errors.ts";
import type { Numbers } from "../graph/tensor.ts";
import type { Num } from "../protocol/report.ts";
import type { TrainReport, TrainRequest, TrainStep } from "../protocol/training.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import { cannotResume } from "../train/errors.ts";
import { learningRate } from "../train/schedule.ts";
import { originOfNotFinite } from "./notFinite.ts";
import { type PreparedTraining, prepareTraining } from "./prepareTraining.ts";
import { appendHistory, resumeHistory } from "./runFolder.ts";
import type { FailedStep, TrainStages } from "./trainProgram.ts";
import { notesOf, referenceOf, trainReport } from "./trainReport.ts";

/** What a parameter has come to: a step that does not reach it leaves it as it is. */
interface Weight {
  readonly numbers: Numbers;
  readonly moments: readonly Numbers[];
  /** Updates that it has had. */
  readonly taken: number;
}

export function trainAnew(
  request: TrainRequest,
  traced: TracedScript,
  stages: TrainStages,
  traceMs: number,
): TrainReport {
  const { training } = request;
  const { steps: total, directory, resume, schedule } = training;
  if (resume) throw cannotResume(directory ?? "", "its model's Python is run anew at every step");
  stages.progress("build");
  const built = performance.now();
  const weights = new Map<string, Weight>();
  const first = prepareTraining(request, traced, { taken: new Map() });
  const buildMs = performance.now() - built;
  const { layout, blocks, task } = first;
  stages.progress("run");
  const began = performance.now();
  const steps: TrainStep[] = directory === null ? [] : resumeHistory(directory, 0);
  const parameterGradients: { step: number; norms: readonly Num[] }[] = [];
  stages.training.tell({
    ...{ kind: "begin", layers: layout.layers, blocks, firstStep: 1 },
    reference: referenceOf(first),
  });
  let sessionMs = 0;
  let device: TrainReport["device"] | null = null;
  let last = 0;
  let end: TrainReport["end"] | null = null;
  // A run that is stopped has one step at least: what it ran on is known then.
  while (last < total && end === null && (last === 0 || !stages.training.isStopped())) {
    const step = last + 1;
    // Without a task the batch of the first step is the one that was traced.
    const isTraced = step === 1 && task === null;
    const own = isTraced ? traced : nextStep(traced, first, weights, step);
    const taken = new Map(Array.from(weights, ([name, weight]) => [name, weight.taken]));
    const prepared = isTraced ? first : prepareTraining(request, own, { taken });
    const lr = learningRate(schedule, step, total);
    const drawn = own.draws.map(({ value }) => value.data ?? new Float32Array(0));
    const feeds = {
      batches: [prepared.feeds(step - 1, drawn)],
      coefficients: prepared.coefficients(step, lr),
    };
    const opened = stages.training.ask({
      kind: "open-training",
      models: withMoments(prepared, weights),
      device: request.device,
      threads: training.threads,
    });
    device = opened.device;
    sessionMs += opened.sessionMs;
    const { loss, gradients } = prepared.graphs.numbers;
    const watched = [loss.id, gradients.id];
    const answer = stages.training.ask({ kind: "train", steps: [feeds], watched });
    const [results = []] = answer.steps;
    const told = inOrderOf(first, prepared, prepared.reader.step(results, { step, lr }));
    const norms = prepared.reader.parameters(results);
    parameterGradients.push({ step, norms: inOrder(names(first), names(prepared), norms) });
    steps.push(told);
    if (directory !== null) appendHistory(directory, [told]);
    stages.training.tell({ kind: "steps", steps: [told] });
    if (answer.isFinite) {
      keepState(prepared, stages.training.ask({ kind: "training-state" }), weights);
      last = step;
    } else {
      const failed: FailedStep = { step, feeds };
      const origin = originOfNotFinite(request, own, prepared, stages, failed);
      end = { reason: "not-finite", step, origin };
    }
    stages.training.ask({ kind: "close-training" });
  }
  invariant(device, "a step was taken");
  return trainReport(request, traced, first, {
    ...{ steps, parameterGradients, device, version: stages.version },
    end: end ?? { reason: last < total ? "stopped" : "done", step: last, origin: null },
    notes: notesOf(request, traced),
    timing: { traceMs, buildMs, sessionMs, trainMs: performance.now() - began, trained: last },
  });
}

function nextStep(
  traced: TracedScript,
  first: PreparedTraining,
  weights: ReadonlyMap<string, Weight>,
  step: number,
): TracedScript {
  invariant(traced.again, "Python is there");
  return traced.again({
    parameters: new Map(Array.from(weights, ([name, { numbers }]) => [name, numbers])),
    inputs: first.batchOf(step - 1),
    // The trace before the first step was of a batch that was made up.
    keepsBuffers: step > 1,
    from: step === 1 ? traced.drawnFrom : null,
  });
}

/** Each bucket has one member: its slots are the parameter and its moments. */
function slotsOf({ layout, graphs }: PreparedTraining) {
  let slot = 0;
  return layout.buckets.map(({ members, taken }, at) => {
    const begin = slot;
    slot += 1 + (graphs.buckets[at]?.moments.length ?? 0);
    return { name: members[0]?.name ?? "", begin, end: slot, taken: taken ?? 0 };
  });
}

function withMoments(
  prepared: PreparedTraining,
  weights: ReadonlyMap<string, Weight>,
): PreparedTraining["models"] {
  const state = [...prepared.models.state];
  for (const { name, begin, end } of slotsOf(prepared))
    for (let at = begin + 1; at < end; at++) {
      const slot = state[at];
      const data = weights.get(name)?.moments[at - begin - 1] ?? null;
      if (slot !== undefined) state[at] = { ...slot, data };
    }
  return { ...prepared.models, state };
}

function keepState(
  prepared: PreparedTraining,
  slots: readonly Numbers[],
  weights: Map<string, Weight>,
): void {
  for (const { name, begin, end, taken } of slotsOf(prepared)) {
    const [numbers, ...moments] = slots.slice(begin, end);
    if (numbers !== undefined) weights.set(name, { numbers, moments, taken: taken + 1 });
  }
}

const names = ({ layout }: PreparedTraining): string[] => layout.trained.map(({ name }) => name);

/** Layers and blocks in the order of the first step; what this one did not reach has no gradient. */
function inOrderOf(first: PreparedTraining, own: PreparedTraining, step: TrainStep): TrainStep {
  const [layers, ownLayers] = [first.layout.layers, own.layout.layers];
  return {
    ...step,
    layerGradients: inOrder(layers, ownLayers, step.layerGradients),
    updateRatios: inOrder(layers, ownLayers, step.updateRatios),
    streamRms: inOrder(first.blocks, own.blocks, step.streamRms),
  };
}

function inOrder(
  wanted: readonly string[],
  found: readonly string[],
  values: readonly Num[],
): readonly Num[] {
  if (wanted.length === found.length && wanted.every((name, at) => name === found[at]))
    return values;
  const of = new Map(found.map((name, at) => [name, values[at] ?? 0]));
  return wanted.map((name) => of.get(name) ?? 0);
}
