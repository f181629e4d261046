/** A traced program → a run of training, told step by step. */
import type { TrainEvent, TrainReport, TrainRequest, TrainStep } from "../protocol/training.ts";
import { decodeState, encodeState } from "../random/generator.ts";
import type { StepFeeds } from "../runtime/training.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import { drawEach, type StepDraws } from "../train/draws.ts";
import { learningRate } from "../train/schedule.ts";
import { isTracedAnew } from "./anew.ts";
import type { Stages } from "./answerRequest.ts";
import { originOfNotFinite } from "./notFinite.ts";
import { type PreparedTraining, prepareTraining } from "./prepareTraining.ts";
import { appendHistory, loadState, resumeHistory, saveState } from "./runFolder.ts";
import { stepsPerCall } from "./stepsPerCall.ts";
import { trainAnew } from "./trainAnew.ts";
import type { TrainingAnswer, TrainingQuestion } from "./trainingQuestion.ts";
import { notesOf, referenceOf, trainReport } from "./trainReport.ts";

/** What training needs beside the stages of every request. */
export interface TrainingLink {
  ask<Q extends TrainingQuestion>(question: Q): TrainingAnswer<Q>;
  tell(event: TrainEvent): void;
  /** Whether somebody wants the run to end after the step that is being taken. */
  isStopped(): boolean;
}

export interface TrainStages extends Stages {
  readonly training: TrainingLink;
}

/** How long the runtime works before its steps are told. */
const tellMs = 250;
const mostAtOnce = 50;
/** Points at which every parameter's gradient norm is kept. */
const parameterPoints = 200;

export function trainProgram(
  request: TrainRequest,
  traced: TracedScript,
  stages: TrainStages,
  traceMs: number,
): TrainReport {
  if (isTracedAnew(request, traced)) return trainAnew(request, traced, stages, traceMs);
  stages.progress("build");
  const built = performance.now();
  const { training } = request;
  const provider = stages.training.ask({ kind: "training-provider", device: request.device });
  const prepared = prepareTraining(request, traced, {
    callsOf: (sizes) => stepsPerCall(training, sizes, provider),
    fused: provider === "cpu",
  });
  const fingerprint = fingerprintOf(request, prepared);
  const saved = training.resume ? loadState(folderOf(request), fingerprint) : null;
  const models = {
    ...prepared.models,
    state: prepared.models.state.map((slot, at) => {
      return saved === null ? slot : { ...slot, data: saved.slots[at] ?? slot.data };
    }),
  };
  const buildMs = performance.now() - built;
  stages.progress("session");
  const { device, sessionMs } = stages.training.ask({
    kind: "open-training",
    models,
    device: request.device,
    threads: training.threads,
  });
  stages.progress("run");
  const began = performance.now();
  const run = runSteps(request, traced, prepared, stages, saved, fingerprint);
  const trainMs = performance.now() - began;
  const end =
    run.failed === null
      ? {
          reason: run.isStopped ? ("stopped" as const) : ("done" as const),
          step: run.last,
          origin: null,
        }
      : {
          reason: "not-finite" as const,
          step: run.failed.step,
          origin: originOfNotFinite(request, traced, prepared, stages, run.failed),
        };
  stages.training.ask({ kind: "close-training" });
  return trainReport(request, traced, prepared, {
    ...run,
    end,
    device,
    version: stages.version,
    notes: [
      ...notesOf(request, traced),
      ...(run.lost > 0 ? [lostText(run.lost)] : []),
      ...otherRates(training, run.steps, saved?.step ?? 0),
    ],
    timing: { traceMs, buildMs, sessionMs, trainMs, trained: run.last - (saved?.step ?? 0) },
  });
}

/** The step whose numbers were not finite, and what it was fed. */
export interface FailedStep {
  readonly step: number;
  readonly feeds: StepFeeds;
}

function runSteps(
  request: TrainRequest,
  { draws: drawn, drawnTo }: TracedScript,
  prepared: PreparedTraining,
  stages: TrainStages,
  saved: { readonly step: number; readonly generator: string | null } | null,
  fingerprint: string,
) {
  const { training } = request;
  const { steps: total, directory, saveEvery } = training;
  const first = saved?.step ?? 0;
  const steps: TrainStep[] = directory === null ? [] : resumeHistory(directory, first);
  const lost = directory === null ? 0 : first - steps.length;
  const parameterGradients: {
    step: number;
    norms: TrainReport["parameterGradients"][0]["norms"];
  }[] = [];
  const draws = drawEach(drawn, drawnTo, saved?.generator ? stateOf(saved.generator) : null);
  const { reader, layout, blocks, calls } = prepared;
  const watched = [prepared.graphs.numbers.loss.id, prepared.graphs.numbers.gradients.id];
  const pointEvery = Math.max(1, Math.ceil(total / parameterPoints));
  stages.training.tell({
    kind: "begin",
    layers: layout.layers,
    blocks,
    firstStep: first + 1,
    reference: referenceOf(prepared),
  });

  const save = (step: number): void => {
    if (directory === null) return;
    const slots = stages.training.ask({ kind: "training-state" });
    saveState(directory, { step, fingerprint, slots, generator: textOf(draws) });
    stages.training.tell({ kind: "saved", step });
  };

  let last = first;
  let failed: FailedStep | null = null;
  let atOnce = 1;
  let lastSaved = first;
  while (last < total && failed === null && !stages.training.isStopped()) {
    const untilSave = saveEvery - (last % saveEvery);
    const inCalls = Math.ceil(atOnce / calls.least) * calls.least;
    const count = Math.min(inCalls, total - last, untilSave);
    const asked = Array.from({ length: count }, (_, at) => {
      const step = last + 1 + at;
      const lr = learningRate(training.schedule, step, total);
      return { step, lr, feeds: feedsOf(prepared, training.accumulate, draws, step, lr) };
    });
    const start = performance.now();
    const answer = stages.training.ask({
      kind: "train",
      steps: asked.map(({ feeds }) => feeds),
      watched,
    });
    const told = answer.steps.map((results, at) => {
      const { step, lr } = asked[at] as (typeof asked)[number];
      if (step % pointEvery === 0 || step === 1)
        parameterGradients.push({ step, norms: reader.parameters(results) });
      return reader.step(results, { step, lr });
    });
    steps.push(...told);
    if (directory !== null) appendHistory(directory, told);
    stages.training.tell({ kind: "steps", steps: told });
    if (!answer.isFinite) failed = asked[told.length - 1] ?? null;
    last += told.length - (failed === null ? 0 : 1);
    if (failed === null && last % saveEvery === 0) {
      save(last);
      lastSaved = last;
    }
    const perStep = (performance.now() - start) / told.length;
    atOnce = Math.min(Math.max(1, Math.floor(tellMs / perStep)), mostAtOnce);
  }
  if (failed === null && lastSaved !== last) save(last);
  return { steps, parameterGradients, last, failed, lost, isStopped: last < total };
}

const lostText = (count: number): string =>
  `The history of ${count} steps before this run went on is not there`;

/** A schedule is stretched over all steps: with another count of them the rates that were used are not its. */
function otherRates(
  { schedule, steps: total }: TrainRequest["training"],
  steps: readonly TrainStep[],
  first: number,
): string[] {
  const last = steps.find(({ step }) => step === first);
  const now = learningRate(schedule, first, total);
  if (!last || Math.abs(now - last.lr) <= 1e-6 * Math.abs(last.lr)) return [];
  return [
    `Steps 1 to ${first} followed a ${schedule.name} schedule of another length: step ${first} had the rate ${shown(last.lr)}, and has ${shown(now)} in one of ${total} steps, by which the run goes on`,
  ];
}

const shown = (rate: number): string => `${Number(rate.toPrecision(3))}`;

function feedsOf(
  prepared: PreparedTraining,
  accumulate: number,
  draws: StepDraws,
  step: number,
  lr: number,
): StepFeeds {
  const batches = Array.from({ length: accumulate }, (_, at) =>
    prepared.feeds((step - 1) * accumulate + at, draws.next()),
  );
  return { batches, coefficients: prepared.coefficients(step, lr) };
}

/** Everything that the numbers of the steps follow from, but for their count. */
function fingerprintOf(request: TrainRequest, { sha256 }: PreparedTraining): string {
  const { seed, set, mode, weights = null, training } = request;
  const { task, optimizer, schedule, clip, accumulate } = training;
  const model = { sha256, seed, set, mode, weights };
  return JSON.stringify({ ...model, task, optimizer, schedule, clip, accumulate });
}

const folderOf = ({ training }: TrainRequest): string => training.directory ?? "";

const textOf = ({ state }: StepDraws): string | null =>
  state === null ? null : Buffer.from(encodeState(state)).toString("base64");

const stateOf = (text: string) => decodeState(Uint8Array.from(Buffer.from(text, "base64")));
