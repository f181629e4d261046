/** The form for a run of training: what is typed, and what it trains with. */
import {
  type OptimizerName,
  optimizerNames,
  type ScheduleName,
  scheduleNames,
  taskNames,
} from "../../src/protocol/training.ts";
import type { TrainingChoice } from "../../src/protocol/trainingPage.ts";

/** Numbers as they are typed. */
export interface TrainingContent {
  /** A built-in task, "file" or "none". */
  readonly task: string;
  /** For the task "file". */
  readonly file: string;
  readonly steps: string;
  readonly batch: string;
  readonly seq: string;
  readonly optimizer: string;
  readonly lr: string;
  readonly warmup: string;
  readonly schedule: string;
  /** Empty: gradients are not clipped. */
  readonly clip: string;
}

/** Tasks of the form beside the built-in ones. */
const otherTasks = ["none", "file"] as const;

export const taskChoices: readonly string[] = [...taskNames, ...otherTasks];

export function trainingContent(choice: TrainingChoice): TrainingContent {
  const { task, steps, batch, seq, optimizer, lr, warmup, schedule, clip } = choice;
  const isNamed = taskChoices.includes(task) && task !== "file";
  return {
    task: isNamed ? task : "file",
    file: isNamed ? "" : task,
    steps: String(steps),
    batch: String(batch),
    seq: String(seq),
    optimizer,
    lr: String(lr),
    warmup: String(warmup),
    schedule,
    clip: clip === null ? "" : String(clip),
  };
}

export const numberFields = ["steps", "batch", "seq", "lr", "warmup", "clip"] as const;
export type NumberField = (typeof numberFields)[number];

/** What cannot be trained with, in the order of the form. */
export function trainingMistakes(content: TrainingContent): ("file" | NumberField)[] {
  const isRight: Readonly<Record<NumberField, boolean>> = {
    steps: isWhole(content.steps, 1),
    batch: isWhole(content.batch, 1),
    seq: isWhole(content.seq, 1),
    lr: numberIn(content.lr) >= 0,
    warmup: isWhole(content.warmup, 0),
    clip: content.clip.trim() === "" || numberIn(content.clip) > 0,
  };
  const file = content.task === "file" && content.file.trim() === "";
  return [...(file ? (["file"] as const) : []), ...numberFields.filter((name) => !isRight[name])];
}

/** null where something is a mistake. */
export function trainingChoiceOf(content: TrainingContent): TrainingChoice | null {
  const optimizer = optimizerNames.find(
    (name): name is OptimizerName => name === content.optimizer,
  );
  const schedule = scheduleNames.find((name): name is ScheduleName => name === content.schedule);
  if (trainingMistakes(content).length > 0 || optimizer === undefined || schedule === undefined)
    return null;
  return {
    task: content.task === "file" ? content.file.trim() : content.task,
    steps: Number(content.steps),
    batch: Number(content.batch),
    seq: Number(content.seq),
    optimizer,
    lr: Number(content.lr),
    warmup: Number(content.warmup),
    schedule,
    clip: content.clip.trim() === "" ? null : Number(content.clip),
  };
}

/** NaN for what is no number. */
const numberIn = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;

const isWhole = (text: string, least: number): boolean =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= least;
