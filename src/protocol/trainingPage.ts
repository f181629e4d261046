/** What of runs of training crosses between the extension and the panel's page for them. */
import * as v from "valibot";
import type { Num } from "./report.ts";
import {
  type OptimizerName,
  optimizerNames,
  type ScheduleName,
  scheduleNames,
  type TaskSpec,
  type TrainReport,
} from "./training.ts";

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(1_000_000));

/** What a form or a command says of a run of training. */
export interface TrainingChoice {
  /** A built-in task, the path of a text or token file, or "none": the batch of the script. */
  readonly task: string;
  /** Windows of a file: drawn, or one after another. */
  readonly order: TaskSpec["order"];
  readonly steps: number;
  readonly batch: number;
  /** Tokens of a row. */
  readonly seq: number;
  /** Batches whose gradients are averaged before an update. */
  readonly accumulate: number;
  readonly optimizer: OptimizerName;
  /** Of the optimizer, as all that follow; null: PyTorch's default. */
  readonly momentum: number | null;
  readonly nesterov: boolean | null;
  readonly betas: readonly [number, number] | null;
  readonly eps: number | null;
  readonly weightDecay: number | null;
  /** matrices: none on norms, biases and embeddings. */
  readonly decay: "matrices" | "all";
  /** The largest learning rate. */
  readonly lr: number;
  /** Steps of linear warm-up. */
  readonly warmup: number;
  readonly schedule: ScheduleName;
  /** Of the schedule, as all that follow; null: its default. Share of the rate that it ends at. */
  readonly end: number | null;
  /** wsd: share of the steps that decay at the end. */
  readonly decayShare: number | null;
  /** step: factor, and steps between two uses of it. */
  readonly gamma: number | null;
  readonly stepLength: number | null;
  /** Largest norm of all gradients together; null: they are not clipped. */
  readonly clip: number | null;
  /** Steps of one run of the graph; null: as the device likes it. */
  readonly stepsPerCall: number | null;
}

/** The smallest setting in which a Post-LN decoder needs its warm-up and a Pre-LN one does not. */
export const defaultTraining: TrainingChoice = {
  task: "markov",
  order: "random",
  steps: 300,
  batch: 8,
  seq: 16,
  accumulate: 1,
  optimizer: "adam",
  momentum: null,
  nesterov: null,
  betas: null,
  eps: null,
  weightDecay: null,
  decay: "matrices",
  lr: 1e-2,
  warmup: 100,
  schedule: "constant",
  end: null,
  decayShare: null,
  gamma: null,
  stepLength: null,
  clip: null,
  stepsPerCall: null,
};

const number = v.pipe(v.number(), v.finite());
const notNegative = v.nullable(v.pipe(number, v.minValue(0)));
const beta = v.pipe(number, v.minValue(0), v.ltValue(1));
const share = v.nullable(v.pipe(number, v.minValue(0), v.maxValue(1)));

const fields = {
  task: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
  order: v.picklist(["random", "sequential"]),
  steps: count,
  batch: count,
  seq: count,
  accumulate: count,
  optimizer: v.picklist(optimizerNames),
  momentum: share,
  nesterov: v.nullable(v.boolean()),
  betas: v.nullable(v.pipe(v.tuple([beta, beta]), v.readonly())),
  eps: notNegative,
  weightDecay: notNegative,
  decay: v.picklist(["matrices", "all"]),
  lr: v.pipe(number, v.minValue(0)),
  warmup: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  schedule: v.picklist(scheduleNames),
  end: notNegative,
  decayShare: share,
  gamma: notNegative,
  stepLength: v.nullable(count),
  clip: v.nullable(v.pipe(v.number(), v.finite(), v.gtValue(0))),
  stepsPerCall: v.nullable(count),
};

export const trainingChoice = v.strictObject(fields);

/** The same from a command: what is left out is the default. */
export const partialTrainingChoice = v.partial(trainingChoice);

export type TrainingState =
  | "running"
  | "done"
  | "stopped"
  | "not-finite"
  | "failed"
  /** Its window or its engine ended first. */
  | "interrupted";

/** One line of the list. */
export interface TrainingSummary {
  readonly id: string;
  /** "PreLNTransformer, n_layers=6: markov, adam 0.01, warm-up 100". */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: TrainingState;
  /** The last step that was taken, and how many were wanted. */
  readonly step: number;
  readonly total: number;
  /** Mean of the last steps; null before the first. */
  readonly loss: Num | null;
  /** Why it failed, or where the first number that is not finite was made. */
  readonly message: string | null;
  readonly place: { readonly file: string; readonly line: number } | null;
  readonly canContinue: boolean;
}

/** What was measured over the steps: a few hundred of them, evenly taken, the last among them. */
export interface TrainingSeries
  extends Pick<TrainReport, "layers" | "blocks" | "reference" | "findings"> {
  readonly summary: TrainingSummary;
  readonly steps: readonly number[];
  readonly loss: readonly Num[];
  readonly lr: readonly number[];
  /** Per layer, one number a step: gradient norm of its parameters. */
  readonly layerGradients: readonly (readonly Num[])[];
  /** Per layer: norm of the update / norm of the weights. */
  readonly updateRatios: readonly (readonly Num[])[];
  /** Per block: root mean square of the stream that leaves it. */
  readonly streamRms: readonly (readonly Num[])[];
}

export interface TrainingsShown {
  /** Newest first. */
  readonly list: readonly TrainingSummary[];
  readonly shown: readonly TrainingSeries[];
}

export const noTrainings: TrainingsShown = { list: [], shown: [] };
