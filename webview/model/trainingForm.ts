/** The form for a run of training: what is typed, and what it trains with. */
import {
  type OptimizerName,
  optimizerNames,
  type ScheduleName,
  scheduleNames,
  taskNames,
} from "../../src/protocol/training.ts";
import { ofOptimizer, ofSchedule } from "../../src/protocol/trainingFields.ts";
import type { TrainingChoice } from "../../src/protocol/trainingPage.ts";

/** Numbers as they are typed; where one is empty, the default counts. */
export interface TrainingContent extends Readonly<Record<NumberField, string>> {
  /** A built-in task, "file" or "none". */
  readonly task: string;
  /** For the task "file". */
  readonly file: string;
  readonly order: string;
  readonly optimizer: string;
  /** Empty: PyTorch's; else "True" or "False". */
  readonly nesterov: string;
  /** "0.9, 0.95". */
  readonly betas: string;
  readonly decay: string;
  readonly schedule: string;
}

/** In the order of the form. */
export const numberFields = [
  ...["steps", "batch", "seq", "accumulate", "lr", "momentum", "eps", "weightDecay"],
  ...["warmup", "end", "decayShare", "gamma", "stepLength", "clip", "stepsPerCall"],
] as const satisfies readonly (keyof TrainingChoice)[];
export type NumberField = (typeof numberFields)[number];

/** The fields that count, for the optimizer and the schedule that are chosen. */
export function specialFields({ optimizer, schedule }: TrainingContent): ReadonlySet<string> {
  return new Set([
    ...(nameIn(optimizerNames, optimizer) ? ofOptimizer[optimizer as OptimizerName] : []),
    ...(nameIn(scheduleNames, schedule) ? ofSchedule[schedule as ScheduleName] : []),
  ]);
}

const allSpecial: ReadonlySet<string> = new Set(
  [...Object.values(ofOptimizer), ...Object.values(ofSchedule)].flat(),
);

const nameIn = (names: readonly string[], name: string): boolean => names.includes(name);

/** Tasks of the form beside the built-in ones. */
const otherTasks = ["none", "file"] as const;

export const taskChoices: readonly string[] = [...taskNames, ...otherTasks];

export function trainingContent(choice: TrainingChoice): TrainingContent {
  const { task, order, optimizer, nesterov, betas, decay, schedule } = choice;
  const isNamed = taskChoices.includes(task) && task !== "file";
  const numbers = numberFields.map((name) => [name, choice[name] ?? ""] as const);
  return {
    task: isNamed ? task : "file",
    file: isNamed ? "" : task,
    order,
    ...(Object.fromEntries(numbers.map(([name, value]) => [name, String(value)])) as Readonly<
      Record<NumberField, string>
    >),
    optimizer,
    nesterov: nesterov === null ? "" : nesterov ? "True" : "False",
    betas: betas === null ? "" : betas.join(", "),
    decay,
    schedule,
  };
}

const isWhole = (least: number) => (text: string) =>
  /^\d{1,6}$/.test(text) && Number(text) >= least;
const isNumber = (least: number, most: number) => (text: string) =>
  numberIn(text) >= least && numberIn(text) <= most;
const orNothing = (isRight: (text: string) => boolean) => (text: string) =>
  text === "" || isRight(text);

const rules: Readonly<Record<NumberField, (text: string) => boolean>> = {
  steps: isWhole(1),
  batch: isWhole(1),
  seq: isWhole(1),
  accumulate: isWhole(1),
  lr: isNumber(0, Number.POSITIVE_INFINITY),
  momentum: orNothing(isNumber(0, 1)),
  eps: orNothing(isNumber(0, Number.POSITIVE_INFINITY)),
  weightDecay: orNothing(isNumber(0, Number.POSITIVE_INFINITY)),
  warmup: isWhole(0),
  end: orNothing(isNumber(0, Number.POSITIVE_INFINITY)),
  decayShare: orNothing(isNumber(Number.MIN_VALUE, 1)),
  gamma: orNothing(isNumber(0, Number.POSITIVE_INFINITY)),
  stepLength: orNothing(isWhole(1)),
  clip: orNothing(isNumber(Number.MIN_VALUE, Number.POSITIVE_INFINITY)),
  stepsPerCall: orNothing(isWhole(1)),
};

export type FormMistake = "file" | "betas" | NumberField;

/** What cannot be trained with, in the order of the form. */
export function trainingMistakes(content: TrainingContent): FormMistake[] {
  const counts = (name: string) => !allSpecial.has(name) || specialFields(content).has(name);
  const file = content.task === "file" && content.file.trim() === "";
  const betas = counts("betas") && content.betas.trim() !== "" && betasIn(content.betas) === null;
  return [
    ...(file ? (["file"] as const) : []),
    ...numberFields.filter((name) => counts(name) && !rules[name](content[name].trim())),
    ...(betas ? (["betas"] as const) : []),
  ];
}

/** null where something is a mistake. */
export function trainingChoiceOf(content: TrainingContent): TrainingChoice | null {
  const optimizer = optimizerNames.find((name) => name === content.optimizer);
  const schedule = scheduleNames.find((name) => name === content.schedule);
  if (trainingMistakes(content).length > 0 || optimizer === undefined || schedule === undefined)
    return null;
  const special = specialFields(content);
  const number = (name: NumberField): number | null => {
    const text = allSpecial.has(name) && !special.has(name) ? "" : content[name].trim();
    return text === "" ? null : Number(text);
  };
  const nesterov = special.has("nesterov") ? content.nesterov : "";
  return {
    task: content.task === "file" ? content.file.trim() : content.task,
    order: content.order === "sequential" ? "sequential" : "random",
    steps: Number(content.steps),
    batch: Number(content.batch),
    seq: Number(content.seq),
    accumulate: Number(content.accumulate),
    optimizer,
    momentum: number("momentum"),
    nesterov: nesterov === "" ? null : nesterov === "True",
    betas: special.has("betas") ? betasIn(content.betas) : null,
    eps: number("eps"),
    weightDecay: number("weightDecay"),
    decay: content.decay === "all" ? "all" : "matrices",
    lr: Number(content.lr),
    warmup: Number(content.warmup),
    schedule,
    end: number("end"),
    decayShare: number("decayShare"),
    gamma: number("gamma"),
    stepLength: number("stepLength"),
    clip: number("clip"),
    stepsPerCall: number("stepsPerCall"),
  };
}

/** null for what is not two numbers of [0, 1). */
function betasIn(text: string): [number, number] | null {
  const [first, second, ...more] = text.split(",").map(numberIn);
  if (first === undefined || second === undefined || more.length > 0) return null;
  const isRight = [first, second].every((beta) => beta >= 0 && beta < 1);
  return isRight ? [first, second] : null;
}

/** NaN for what is no number. */
const numberIn = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
