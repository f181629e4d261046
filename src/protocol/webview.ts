/**
 * What crosses between the extension and its webviews. The extension answers and pushes
 * (`ToWebview`); a webview asks (`FromWebview`), and what it asks is checked before it is believed.
 *
 * The extension loads dist/webview/<kind>.js and dist/webview/<kind>.css into a page whose body is
 * one empty `<main id="app" data-kind="…">`; scripts and styles carry the page's nonce.
 */
import * as v from "valibot";
import { devices, modes } from "./choices.ts";
import { type ClaimsShown, experimentNames } from "./claimsPage.ts";
import type { DetailReport } from "./engine.ts";
import type { MemoryEstimate, Num, RunReport } from "./report.ts";
import { type SweepShown, sweepChoice } from "./sweepPage.ts";
import { type TrainingChoice, type TrainingsShown, trainingChoice } from "./trainingPage.ts";

export const webviewKinds = ["dashboard", "panel"] as const;
export type WebviewKind = (typeof webviewKinds)[number];

/** Pages of the panel; the dashboard has none. */
export const panelPages = [
  "configure",
  "compare",
  "value",
  "attention",
  "train",
  "sweep",
  "claims",
] as const;
export type PanelPage = (typeof panelPages)[number];
/** Those with a form for a model. */
export type FormPage = Extract<PanelPage, "configure" | "train" | "sweep">;

export type ThemeKind = "light" | "dark" | "highContrast" | "highContrastLight";

const text = v.pipe(v.string(), v.maxLength(100_000));
const name = v.pipe(v.string(), v.maxLength(1000));
const wholeNumber = v.pipe(v.number(), v.safeInteger());

/** What to run: the form's content, and what a stored run can be repeated with. */
export const runConfiguration = v.strictObject({
  /** URI of the model file. */
  uri: text,
  /** Class to construct; null for a script and for an ONNX file. */
  entry: v.nullable(name),
  /** Constructor arguments, each as a Python literal. */
  set: v.record(name, text),
  inputs: v.array(
    v.strictObject({
      name,
      dtype: name,
      shape: v.array(wholeNumber),
      below: v.nullable(v.number()),
    }),
  ),
  loss: v.nullable(text),
  seed: wholeNumber,
  mode: v.nullable(v.picklist(modes)),
  device: v.picklist(devices),
  /** Path of a checkpoint, absolute or below the workspace; none: the weights that the seed makes. */
  weights: v.optional(v.nullable(text)),
  /** false: names of the checkpoint and the model that agree are loaded, the others are told. */
  strict: v.optional(v.boolean()),
  /** Path of a file whose tokens a class's inputs are taken from; none: they are made up. */
  tokens: v.optional(v.nullable(text)),
  /** Path of the tokenizer.json that divides that file's text; none: its bytes are the tokens. */
  tokenizer: v.optional(v.nullable(text)),
});
export type RunConfiguration = Readonly<v.InferOutput<typeof runConfiguration>>;

/** One value of a run's report: its position in `values`. */
const valueOfRun = v.strictObject({ runId: name, index: wholeNumber });
export type ValueOfRun = Readonly<v.InferOutput<typeof valueOfRun>>;

/** What a webview keeps over a reload (`setState`), enough to paint and to ask again. */
export const webviewState = v.strictObject({
  version: v.literal(1),
  page: v.nullable(v.picklist(panelPages)),
  runIds: v.array(name),
  value: v.nullable(valueOfRun),
  /** Whatever else the page itself wants back: open groups, chosen series, scroll position. */
  view: v.record(name, v.union([v.string(), v.number(), v.boolean(), v.array(name)])),
  /** What the page drew last, for its first drawing; of no meaning outside of it, and never sent. */
  painted: v.optional(v.unknown()),
});
export type WebviewState = Readonly<v.InferOutput<typeof webviewState>>;

/** Fields of the forms that name a file. */
export const fileFields = ["weights", "tokens", "tokenizer", "task"] as const;
export type FileField = (typeof fileFields)[number];

const fromWebview = v.variant("type", [
  /** Sent once the page listens; the extension answers with `init`. */
  v.strictObject({ type: v.literal("ready"), state: v.nullable(webviewState) }),
  v.strictObject({ type: v.literal("run"), configuration: runConfiguration }),
  /** Asks what a run would hold; answered with `memory`. */
  v.strictObject({ type: v.literal("memory"), configuration: runConfiguration }),
  /** Ends what is going on; training stops after a step. */
  v.strictObject({ type: v.literal("cancel") }),
  v.strictObject({
    type: v.literal("train"),
    configuration: runConfiguration,
    choice: trainingChoice,
  }),
  /** Opens what a form says as a command that gives the same numbers; `choice`: one that trains. */
  v.strictObject({
    type: v.literal("openCommand"),
    configuration: runConfiguration,
    choice: v.nullable(trainingChoice),
  }),
  /** The same of a run of training that was begun. */
  v.strictObject({ type: v.literal("openTrainingCommand"), id: name }),
  v.strictObject({
    type: v.literal("sweep"),
    configuration: runConfiguration,
    sweep: sweepChoice,
    /** How runs are trained, where they are measured after it. */
    choice: trainingChoice,
  }),
  /** The runs of the last sweep that gave no numbers. */
  v.strictObject({ type: v.literal("continueSweep") }),
  v.strictObject({ type: v.literal("runClaims"), names: v.array(v.picklist(experimentNames)) }),
  v.strictObject({ type: v.literal("continueTraining"), id: name }),
  v.strictObject({ type: v.literal("removeTraining"), id: name }),
  /** These runs of training are to be drawn beside one another; answered with `trainings`. */
  v.strictObject({ type: v.literal("showTrainings"), ids: v.array(name) }),
  /** Shows the line that made the first number that is not finite, that failed, or of a finding. */
  v.strictObject({ type: v.literal("revealTraining"), id: name, file: text, line: wholeNumber }),
  /** These runs are to be shown beside one another; answered with `show`. */
  v.strictObject({ type: v.literal("showRuns"), runIds: v.array(name) }),
  /** Runs the Pre-LN and the Post-LN form of a model; answered with `show` of both. */
  v.strictObject({ type: v.literal("comparePlacements"), configuration: runConfiguration }),
  /** Opens a page of the panel: a dashboard's way to more. */
  v.strictObject({
    type: v.literal("open"),
    page: v.picklist(panelPages),
    runIds: v.array(name),
    value: v.nullable(valueOfRun),
  }),
  /** `runId` is empty for the place of a failure. */
  v.strictObject({ type: v.literal("reveal"), runId: name, file: text, line: wholeNumber }),
  v.strictObject({ type: v.literal("revealModule"), runId: name, path: name }),
  /** Histogram, percentiles and half-precision losses; answered with `detail`. */
  v.strictObject({ type: v.literal("detail"), value: valueOfRun }),
  /** Saves what the page has made; the extension asks where. */
  v.strictObject({
    type: v.literal("save"),
    /** Proposed name with its extension: "pre_ln.svg". */
    name,
    content: v.union([v.pipe(v.string(), v.maxLength(50_000_000)), v.instance(Uint8Array)]),
  }),
  v.strictObject({ type: v.literal("exportModel"), configuration: runConfiguration }),
  /** Asks for a file; answered with `picked` where one was chosen. */
  v.strictObject({ type: v.literal("pickFile"), field: v.picklist(fileFields) }),
  /** Opens the script that a run was made of. */
  v.strictObject({ type: v.literal("openScript"), runId: name }),
  /** Kept in the workspace, so that a page opened anew starts where the last one ended. */
  v.strictObject({ type: v.literal("saveState"), state: webviewState }),
  /** A mistake of ours in the page, for the log. */
  v.strictObject({ type: v.literal("mistake"), message: text }),
]);
export type FromWebview = Readonly<v.InferOutput<typeof fromWebview>>;

/** null for what no page of ours sends. */
export function readFromWebview(data: unknown): FromWebview | null {
  const result = v.safeParse(fromWebview, data);
  return result.success ? result.output : null;
}

export type ToWebview =
  | Init
  | { readonly type: "theme"; readonly theme: ThemeKind }
  /** The history has changed. */
  | { readonly type: "runs"; readonly runs: readonly RunSummary[] }
  | {
      readonly type: "show";
      readonly page: PanelPage | null;
      readonly shown: readonly ShownRun[];
      readonly value: ValueOfRun | null;
    }
  /** The form for a model, on one of the pages that have one. */
  | {
      readonly type: "configure";
      readonly page: FormPage;
      readonly form: ModelForm;
    }
  | ({ readonly type: "trainings" } & TrainingsShown)
  | { readonly type: "sweep"; readonly sweep: SweepShown | null }
  | { readonly type: "claims"; readonly claims: ClaimsShown }
  | { readonly type: "progress"; readonly progress: RunProgress | null }
  | { readonly type: "memory"; readonly memory: MemoryShown }
  | { readonly type: "failed"; readonly failure: Failure }
  | { readonly type: "detail"; readonly value: ValueOfRun; readonly detail: DetailReport | null }
  | { readonly type: "picked"; readonly field: FileField; readonly path: string }
  /** The editor's cursor stands on this line; charts mark what belongs to it. */
  | { readonly type: "cursor"; readonly file: string; readonly line: number };

/** All that a page needs for its first drawing. */
export interface Init {
  readonly type: "init";
  readonly theme: ThemeKind;
  /** BCP 47: "en", "de". */
  readonly language: string;
  /** English text → text of the language; a text that is missing stays English. */
  readonly strings: Readonly<Record<string, string>>;
  /** In Restricted Mode nothing of the workspace is run. */
  readonly isTrusted: boolean;
  readonly page: PanelPage | null;
  readonly runs: readonly RunSummary[];
  readonly shown: readonly ShownRun[];
  readonly value: ValueOfRun | null;
  readonly form: ModelForm | null;
  readonly progress: RunProgress | null;
  readonly failure: Failure | null;
  readonly trainings: TrainingsShown;
  readonly sweep: SweepShown | null;
  readonly claims: ClaimsShown;
}

/** One line of the history. */
export interface RunSummary {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Path below the workspace, and the class. */
  readonly file: string;
  readonly entry: string | null;
  /** "Pre-LN"; null where the model has no residual blocks. */
  readonly placement: string | null;
  readonly loss: Num;
  readonly device: string;
  readonly totalMs: number;
  readonly findings: number;
  /** The source has been edited since. */
  readonly isStale: boolean;
}

export interface ShownRun {
  readonly summary: RunSummary;
  /** Short name that tells the shown runs apart: "Post-LN". */
  readonly label: string;
  readonly report: RunReport;
  readonly configuration: RunConfiguration;
}

export interface ModelForm {
  /** "PreLNTransformer". */
  readonly title: string;
  readonly summary: string;
  readonly fields: readonly FormField[];
  readonly presets: readonly Preset[];
  /** What the file says of the architecture, in its FACTS. */
  readonly facts: readonly FormFact[];
  /** What the form starts with: the last run's, else the defaults. */
  readonly configuration: RunConfiguration;
  /** What a training starts with: the last one's, else the defaults. */
  readonly training: TrainingChoice;
  /** Whether the placement of the norms can be swapped. */
  readonly hasCounterpart: boolean;
}

export interface FormField {
  readonly name: string;
  /** Python source of the annotation: "int", 'Literal["none", "xavier"]'. */
  readonly annotation: string | null;
  /** Python source of the default; null where the argument must be given. */
  readonly default: string | null;
  /** The literals to choose from, as Python source; empty where anything can be typed. */
  readonly choices: readonly string[];
}

/** "eps", "1e-5, inside the root", "openai/gpt-2, src/model.py"; the source is "" where none is. */
export interface FormFact {
  readonly name: string;
  readonly fact: string;
  readonly source: string;
}

export interface Preset {
  /** "GPT-2 small". */
  readonly label: string;
  readonly set: Readonly<Record<string, string>>;
}

export interface RunProgress {
  /** "pre_ln.py:PreLNTransformer". */
  readonly subject: string;
  /** What is being done, in the language of the editor. */
  readonly stage: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What a run of the form's content would hold, or why that cannot be told. */
export type MemoryShown =
  | { readonly estimate: MemoryEstimate }
  | { readonly failure: Pick<Failure, "message"> };

/** What went wrong, where, and what to do. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly place: { readonly file: string; readonly line: number } | null;
}
