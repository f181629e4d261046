/** The form for a sweep: what is typed, and what is asked. */
import { isTrainingAxis, trainingAxes } from "../../src/present/sweep/plan.ts";
import { typedValues } from "../../src/present/sweep/values.ts";
import { maxSeeds, type SweepChoice } from "../../src/protocol/sweepPage.ts";
import type { FormField, ModelForm } from "../../src/protocol/webview.ts";

export interface AxisContent {
  /** Empty: none is chosen yet. */
  readonly name: string;
  /** "2, 4, 8". */
  readonly values: string;
}

export interface SweepContent {
  readonly axes: readonly AxisContent[];
  readonly seeds: string;
  readonly measure: string;
}

const usualSeeds = "3";
const mostRuns = 10_000;

/** What can be swept over: the constructor's arguments, then the settings of training. */
export const axisNames = ({ fields }: Pick<ModelForm, "fields">): readonly string[] => {
  const own = fields.map(({ name }) => name);
  return [...own, ...trainingAxes.filter((name) => !own.includes(name))];
};

/** The depth, where an argument is called so. */
export function sweepContent(form: Pick<ModelForm, "fields">): SweepContent {
  const { fields } = form;
  const depth = fields.find(({ name }) => /layer|depth/i.test(name)) ?? fields[0];
  const name = depth?.name ?? "lr";
  return {
    axes: [{ name, values: usualValues(form, name) }],
    seeds: usualSeeds,
    measure: "init",
  };
}

const ofTraining: Readonly<Record<string, string>> = {
  lr: "1e-3, 3e-3, 1e-2",
  warmup: "0, 100",
  optimizer: "adam, adamw, muon",
  schedule: "constant, cosine",
};

/** The choices of an argument; else halves and doubles of a whole number: what an exponent needs. */
export function usualValues({ fields }: Pick<ModelForm, "fields">, name: string): string {
  const field = fields.find((it) => it.name === name);
  return field === undefined ? (ofTraining[name] ?? "") : valuesOf(field);
}

function valuesOf({ default: preset, choices, annotation }: FormField): string {
  if (choices.length > 0) return choices.join(", ");
  if (annotation === "bool" || preset === "True" || preset === "False") return "False, True";
  const value = Number(preset);
  if (preset === null || !Number.isSafeInteger(value) || value < 4) return preset ?? "";
  return [value / 2, value, value * 2].map((it) => String(Math.round(it))).join(", ");
}

export interface SweepMistake {
  readonly kind: "values" | "twice" | "seeds" | "untrained" | "many";
  readonly name: string;
}

/** What cannot be swept, in the order of the form. */
export function sweepMistakes({ axes, seeds, measure }: SweepContent): SweepMistake[] {
  const names = axes.map(({ name }) => name);
  const isWhole = /^\d{1,3}$/.test(seeds.trim());
  const count = isWhole ? Number(seeds) : 1;
  const runs = axes.reduce((n, { values }) => n * typedValues(values).length, count);
  const of = (kind: SweepMistake["kind"], found: readonly string[]) =>
    found.map((name): SweepMistake => ({ kind, name }));
  const empty = axes.filter(({ name, values }) => name === "" || typedValues(values).length === 0);
  return [
    ...of(
      "values",
      empty.map(({ name }) => name),
    ),
    ...of(
      "twice",
      names.filter((name, at) => name !== "" && names.indexOf(name) < at),
    ),
    ...of("untrained", measure === "train" ? [] : names.filter(isTrainingAxis)),
    ...of("seeds", isWhole && count >= 1 && count <= maxSeeds ? [] : ["seeds"]),
    ...of("many", runs > mostRuns ? [String(runs)] : []),
  ];
}

/** null where something is a mistake. */
export function sweepChoiceOf(content: SweepContent): SweepChoice | null {
  if (content.axes.length === 0 || sweepMistakes(content).length > 0) return null;
  return {
    axes: content.axes.map(({ name, values }) => ({ name, values: typedValues(values) })),
    seeds: Number(content.seeds),
    measure: content.measure === "train" ? "train" : "init",
  };
}
