/** A run of training as it is kept, and what pages see of it. */
import { basename, resolve } from "node:path";
import { thinned } from "../present/plot.ts";
import { finalLoss } from "../present/training/history.ts";
import type { Finding, Num } from "../protocol/report.ts";
import {
  type TaskSpec,
  type TrainReport,
  type TrainSettings,
  type TrainStep,
  taskNames,
} from "../protocol/training.ts";
import type {
  TrainingChoice,
  TrainingSeries,
  TrainingState,
  TrainingSummary,
} from "../protocol/trainingPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";

export interface Training extends Pick<TrainReport, "layers" | "blocks" | "reference" | "steps"> {
  readonly id: string;
  readonly at: number;
  readonly configuration: RunConfiguration;
  readonly choice: TrainingChoice;
  /** Folder that the files of the model lie in. */
  readonly root: string;
  /** The text that is trained: a run that goes on has the same. */
  readonly source: string | null;
  /** Steps that are wanted. */
  readonly total: number;
  readonly state: TrainingState;
  readonly message: string | null;
  readonly place: TrainingSummary["place"];
  /** The last step that can be gone on from; 0: none. */
  readonly savedStep: number;
  /** What the steps showed, once it has ended. */
  readonly findings: readonly Finding[];
}

/** How often the state is kept: after a crash at most a tenth is lost. */
const savesOfRun = 10;

export const trainSettings = (training: Training, directory: string): TrainSettings => ({
  ...settingsOf(training.choice, training.root),
  steps: training.total,
  directory,
  saveEvery: Math.max(1, Math.ceil(training.choice.steps / savesOfRun)),
  resume: training.savedStep > 0,
});

/** A run of its own of which nothing is kept. `root`: what the path of a task is relative to. */
export function settingsOf(choice: TrainingChoice, root: string): TrainSettings {
  const { steps, batch, seq, optimizer, lr, warmup, schedule, clip, accumulate } = choice;
  const { momentum, nesterov, betas, eps, weightDecay, decay } = choice;
  const { end, decayShare, gamma, stepLength, stepsPerCall } = choice;
  const ofOptimizer = given({ momentum, nesterov, betas, eps, weightDecay });
  return {
    steps,
    batch,
    seq,
    task: taskOf(choice, root),
    optimizer: { name: optimizer, ...ofOptimizer, decay },
    schedule: {
      name: schedule,
      lr,
      warmup,
      ...given({ end, decayShare, gamma, every: stepLength }),
    },
    clip,
    accumulate,
    directory: null,
    saveEvery: steps,
    resume: false,
    ...given({ stepsPerCall }),
    threads: null,
  };
}

type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Without what is null: the default counts. */
const given = <T extends object>(options: T): Given<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as Given<T>;

function taskOf({ task, order }: TrainingChoice, root: string): TaskSpec | null {
  if (task === "none") return null;
  const known = taskNames.find((name) => name === task);
  // The command line's: the same run gives the same numbers there.
  const rest = { order, seed: 0 } as const;
  return known === undefined
    ? { name: "file", file: resolve(root, task), ...rest }
    : { name: known, file: null, ...rest };
}

/** "PreLNTransformer, n_layers=6: markov, adam 0.01, warm-up 100". */
export function trainingName({ configuration, choice }: Training): string {
  const { uri, entry, set, seed } = configuration;
  const { task, optimizer, lr, warmup, schedule, clip, weightDecay } = choice;
  const model = [
    entry ?? basename(uri),
    ...Object.entries(set).map(([name, text]) => `${name}=${text}`),
    ...(seed === 0 ? [] : [`seed=${seed}`]),
  ];
  const how = [
    basename(task),
    `${optimizer} ${lr}`,
    ...(warmup > 0 ? [`warm-up ${warmup}`] : []),
    ...(schedule === "constant" ? [] : [schedule]),
    ...(weightDecay === null ? [] : [`decay ${weightDecay}`]),
    ...(clip === null ? [] : [`clip ${clip}`]),
  ];
  return `${model.join(", ")}: ${how.join(", ")}`;
}

export function trainingSummary(training: Training): TrainingSummary {
  const { id, at, state, steps, total, message, place, savedStep } = training;
  const loss = steps.length === 0 ? null : numOf(finalLoss(steps));
  const isOver = state !== "running" && state !== "not-finite";
  const step = steps.at(-1)?.step ?? 0;
  const name = trainingName(training);
  const canContinue = isOver && savedStep > 0;
  return { id, name, at, state, step, total, loss, message, place, canContinue };
}

/** JSON has no NaN. */
function numOf(value: number): Num {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

/** Wide enough for a chart, few enough to send again and again. */
const pointsOfSeries = 240;

export function trainingSeries(training: Training): TrainingSeries {
  const { layers, blocks, reference, findings } = training;
  const steps = thinned(training.steps, pointsOfSeries);
  const rows = (names: readonly string[], of: (step: TrainStep) => readonly Num[]) =>
    names.map((_, row) => steps.map((step): Num => of(step)[row] ?? "NaN"));
  return {
    summary: trainingSummary(training),
    layers,
    blocks,
    reference,
    findings,
    steps: steps.map(({ step }) => step),
    loss: steps.map(({ loss }) => loss),
    lr: steps.map(({ lr }) => lr),
    layerGradients: rows(layers, ({ layerGradients }) => layerGradients),
    updateRatios: rows(layers, ({ updateRatios }) => updateRatios),
    streamRms: rows(blocks, ({ streamRms }) => streamRms),
  };
}
