/** The form's content and what it runs with: empty fields are left to the model's defaults. */
import type { Device, Mode } from "../../src/protocol/engine.ts";
import type { FormField, ModelForm, RunConfiguration } from "../../src/protocol/webview.ts";

export interface FormContent {
  /** Text of each field; empty: the default. */
  readonly set: Readonly<Record<string, string>>;
  readonly inputs: readonly InputContent[];
  readonly loss: string;
  readonly seed: string;
  /** Empty: as the model says. */
  readonly mode: string;
  readonly device: string;
  /** Paths; empty: none. */
  readonly weights: string;
  /** Names of the checkpoint and the model need not agree. */
  readonly isLoose: boolean;
  readonly tokens: string;
  readonly tokenizer: string;
}

/** An input as it is typed. */
export interface InputContent {
  readonly name: string;
  readonly dtype: string;
  /** "4, 64". */
  readonly shape: string;
  /** Integers are drawn from [0, below); empty where the type decides. */
  readonly below: string;
}

export const deviceLabels: Readonly<Record<Device, string>> = {
  auto: "CUDA, else CPU",
  cuda: "CUDA",
  webgpu: "WebGPU",
  dml: "DirectML",
  coreml: "CoreML",
  cpu: "CPU",
};

export const modeLabels: Readonly<Record<Mode, string>> = { eval: "eval", train: "train" };

export function contentOf({ configuration }: ModelForm): FormContent {
  const { set, inputs, loss, seed, mode, device, weights, tokens } = configuration;
  const { strict = true, tokenizer } = configuration;
  return {
    set,
    inputs: inputs.map(({ name, dtype, shape, below }) => ({
      name,
      dtype,
      shape: shape.join(", "),
      below: below === null ? "" : String(below),
    })),
    loss: loss ?? "",
    seed: String(seed),
    mode: mode ?? "",
    device,
    weights: weights ?? "",
    isLoose: !strict,
    tokens: tokens ?? "",
    tokenizer: tokenizer ?? "",
  };
}

/** What was typed before the page was drawn anew; `kept` is empty where nothing was. */
export function contentFrom(kept: string, otherwise: FormContent): FormContent {
  if (kept === "") return otherwise;
  // Written by this page alone, under the key of this form.
  return { ...otherwise, ...(JSON.parse(kept) as Partial<FormContent>) };
}

/** What cannot be run, in the order of the form; empty where all is well. */
export function mistakesOf(form: ModelForm, content: FormContent): Mistake[] {
  const missing = form.fields
    .filter(({ name, default: preset }) => preset === null && textOf(content, name) === "")
    .map(({ name }): Mistake => ({ kind: "missing", name }));
  const shapes = content.inputs
    .filter(({ shape }) => shapeOf(shape) === null)
    .map(({ name }): Mistake => ({ kind: "shape", name }));
  const seeds: Mistake[] = /^-?\d{1,15}$/.test(content.seed.trim())
    ? []
    : [{ kind: "seed", name: "seed" }];
  return [...missing, ...shapes, ...seeds];
}

export interface Mistake {
  readonly kind: "missing" | "shape" | "seed";
  readonly name: string;
}

export function configurationOf(form: ModelForm, content: FormContent): RunConfiguration {
  const { configuration, fields } = form;
  const known = new Set(fields.map(({ name }) => name));
  const typed = fields.flatMap(({ name }): [string, string][] => {
    const text = textOf(content, name);
    return text === "" ? [] : [[name, text]];
  });
  const others = Object.entries(content.set).filter(([name]) => !known.has(name));
  return {
    ...configuration,
    set: Object.fromEntries([...typed, ...others]),
    inputs: content.inputs
      .filter(({ name }) => name.trim() !== "")
      .map(({ name, dtype, shape, below }) => ({
        name: name.trim(),
        dtype: dtype.trim(),
        shape: shapeOf(shape) ?? [],
        below: below.trim() === "" ? null : Number(below),
      })),
    loss: content.loss.trim() || null,
    weights: content.weights.trim() || null,
    strict: !content.isLoose,
    tokens: content.tokens.trim() || null,
    tokenizer: content.tokenizer.trim() || null,
    seed: Number(content.seed),
    mode: keyOf(content.mode, modeLabels),
    device: keyOf(content.device, deviceLabels) ?? "auto",
  };
}

/** Text of a field, without what surrounds it. */
export const textOf = ({ set }: FormContent, name: string): string => (set[name] ?? "").trim();

/** A field that can only be True or False. */
export const isFlag = ({ annotation, default: preset }: FormField): boolean =>
  annotation === "bool" || preset === "True" || preset === "False";

/** "4, 64" or "[4, 64]"; null for what is no shape. */
function shapeOf(text: string): number[] | null {
  const inner = text
    .trim()
    .replace(/^[[(]/, "")
    .replace(/,?\s*[\])]?$/, "");
  if (inner === "") return [];
  const sizes = inner.split(/[,\s]+/);
  return sizes.every((size) => /^\d{1,9}$/.test(size)) ? sizes.map(Number) : null;
}

const keyOf = <Key extends string>(
  text: string,
  labels: Readonly<Record<Key, string>>,
): Key | null => (Object.hasOwn(labels, text) ? (text as Key) : null);
