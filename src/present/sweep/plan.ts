/** The runs of a sweep: every combination of what its axes name, for every seed. */
import { wrongUsage } from "../../errors.ts";
import type { RunRequest } from "../../protocol/engine.ts";
import { optimizerNames, scheduleNames, type TrainSettings } from "../../protocol/training.ts";
import { isInRange, type RangedSetting, trainingRanges } from "../../protocol/trainingFields.ts";
import { pythonLiteral } from "../literal.ts";
import type { SweepRun } from "./results.ts";
import { typedValues } from "./values.ts";

/** What one setting or argument is given in turn, as it is typed. */
export interface Axis {
  readonly name: string;
  readonly values: readonly string[];
}

/** A sweep as it lies in its folder: all that a run of it needs. */
export interface SweepPlan {
  readonly kind: "init" | "train";
  readonly request: RunRequest;
  readonly training: TrainSettings;
  readonly runs: readonly SweepRun[];
}

/** `n_layers=2,4,8`; commas within brackets and quotes belong to a value. */
export function parseAxis(text: string): Axis {
  const [, name, list = ""] = /^([A-Za-z_][\w-]*)=([\s\S]+)$/.exec(text) ?? [];
  const values = typedValues(list);
  if (name === undefined || values.length === 0)
    throw wrongUsage(`--over needs NAME=VALUE,VALUE,…; got '${text}'`);
  return { name, values };
}

/** Throws where a name or a value stands twice: its runs would count as those of more seeds. */
export function sweepRuns(axes: readonly Axis[], seeds: number): SweepRun[] {
  const twice = twiceIn(axes.map(({ name }) => name));
  if (twice !== undefined) throw wrongUsage(`The axis '${twice}' is given twice`);
  for (const { name, values } of axes) {
    const again = twiceIn(values);
    if (again !== undefined) throw wrongUsage(`The axis '${name}' has the value ${again} twice`);
  }
  const combined = axes.reduce<Record<string, string>[]>(
    (all, { name, values }) =>
      all.flatMap((choices) => values.map((value) => ({ ...choices, [name]: value }))),
    [{}],
  );
  return combined
    .flatMap((choices) => Array.from({ length: seeds }, (_, seed) => ({ choices, seed })))
    .map((run, index) => ({ index, ...run }));
}

const twiceIn = (names: readonly string[]): string | undefined =>
  names.find((name, at) => names.indexOf(name) !== at);

type Change = (training: TrainSettings, text: string) => TrainSettings;

/** `axis`: as it is typed. */
function asNumber(axis: string, setting: RangedSetting, text: string): number {
  const value = Number(text);
  if (isInRange(setting, value)) return value;
  throw wrongUsage(`--over ${axis} needs ${trainingRanges[setting].needs}; got '${text}'`);
}

function asName<Name extends string>(axis: string, names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw wrongUsage(`--over ${axis} needs names of ${names.join(", ")}; got '${text}'`);
}

/** Axes that are settings of training; all others are arguments of the constructor. */
const changes: Readonly<Record<string, Change>> = {
  lr: (training, text) => ({
    ...training,
    schedule: { ...training.schedule, lr: asNumber("lr", "lr", text) },
  }),
  warmup: (training, text) => ({
    ...training,
    schedule: { ...training.schedule, warmup: asNumber("warmup", "warmup", text) },
  }),
  steps: (training, text) => ({ ...training, steps: asNumber("steps", "steps", text) }),
  batch: (training, text) => ({ ...training, batch: asNumber("batch", "batch", text) }),
  seq: (training, text) => ({ ...training, seq: asNumber("seq", "seq", text) }),
  clip: (training, text) => ({
    ...training,
    clip: text === "none" ? null : asNumber("clip", "clip", text),
  }),
  accumulate: (training, text) => ({
    ...training,
    accumulate: asNumber("accumulate", "accumulate", text),
  }),
  optimizer: (training, text) => ({
    ...training,
    optimizer: { ...training.optimizer, name: asName("optimizer", optimizerNames, text) },
  }),
  momentum: (training, text) => ({
    ...training,
    optimizer: { ...training.optimizer, momentum: asNumber("momentum", "momentum", text) },
  }),
  "weight-decay": (training, text) => ({
    ...training,
    optimizer: {
      ...training.optimizer,
      weightDecay: asNumber("weight-decay", "weightDecay", text),
    },
  }),
  schedule: (training, text) => ({
    ...training,
    schedule: { ...training.schedule, name: asName("schedule", scheduleNames, text) },
  }),
};

export const trainingAxes: readonly string[] = Object.keys(changes);

export const isTrainingAxis = (name: string): boolean => Object.hasOwn(changes, name);

/** What one run asks of the engine. The seed is that of the weights and, for training, of the batches. */
export function requestOfRun(
  { request, training }: Pick<SweepPlan, "request" | "training">,
  { choices, seed }: SweepRun,
): { readonly request: RunRequest; readonly training: TrainSettings } {
  const set: Record<string, string> = { ...request.set };
  let settings = training;
  for (const [name, text] of Object.entries(choices)) {
    const change = changes[name];
    if (change === undefined) set[name] = pythonLiteral(text);
    else settings = change(settings, text);
  }
  const task = settings.task && { ...settings.task, seed: settings.task.seed + seed };
  const whole = { ...settings, task, saveEvery: settings.steps };
  return { request: { ...request, set, seed: request.seed + seed }, training: whole };
}
