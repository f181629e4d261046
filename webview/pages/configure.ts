/** The form for a model: its constructor's arguments, inputs, loss, seed, mode, device. */
import type { FormFact, FormField, ModelForm } from "../../src/protocol/webview.ts";
import {
  configurationOf,
  contentFrom,
  contentOf,
  deviceLabels,
  type FormContent,
  isFlag,
  type Mistake,
  mistakesOf,
  modeLabels,
  textOf,
} from "../model/configuration.ts";
import { type Page, region } from "../page.ts";
import { button, checkbox, select, textField } from "../ui/controls.ts";
import { type Child, element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { fileField } from "./fileField.ts";
import { inputList } from "./inputList.ts";

interface ConfigureModel {
  readonly form: ModelForm | null;
  readonly isRunning: boolean;
  readonly isTrusted: boolean;
  /** The run whose script can be opened; null where there is none. */
  readonly runId: string | null;
  /** What the last run's inputs were made of. */
  readonly inputs: readonly string[];
}

export const configureRegion = region<ConfigureModel>({
  name: "configure",
  page: "configure",
  model: ({ form, progress, isTrusted, shown }) => ({
    form,
    isRunning: progress !== null,
    isTrusted,
    runId: shown[0]?.summary.id ?? null,
    inputs: (shown[0]?.report.inputs ?? []).map(
      ({ name, dtype, shape, rule }) => `${name}: ${dtype}[${shape.join(", ")}], ${rule}`,
    ),
  }),
  draw: (model, page) =>
    model.form === null ? noModel() : [formOf({ ...model, form: model.form }, page)],
});

const noModel = (): Child[] => [
  element("h1", {}, t("Configure")),
  element(
    "p",
    { class: "empty" },
    t("No model is chosen. Press Configure above a class of a model file."),
  ),
];

/** Under which the page remembers what was typed. */
const formKey = ({ configuration: { uri, entry } }: ModelForm): string => `form.${uri}.${entry}`;

/** What was typed, or what the form begins with. */
export const typedContent = (form: ModelForm, page: Page): FormContent =>
  contentFrom(page.recall(formKey(form), ""), contentOf(form));

/** Of the form that is shown: typing puts it off. */
let asking: ReturnType<typeof setTimeout> | undefined;
const pauseMs = 600;

interface Editing extends ConfigureModel {
  readonly form: ModelForm;
}

function formOf(model: Editing, page: Page): HTMLElement {
  const { form } = model;
  const key = formKey(form);
  let content = typedContent(form, page);
  const mistakes = element("div", { role: "status" });
  const place = element("div", {});
  const change = (next: FormContent) => {
    content = next;
    page.remember(key, JSON.stringify(next));
    const found = mistakesOf(form, content);
    mistakes.replaceChildren(...found.map(mistakeLine));
    clearTimeout(asking);
    asking = setTimeout(ask, pauseMs);
  };
  /** What a run would hold: the answer is drawn below (memory.ts). */
  const ask = () => {
    if (model.isRunning || !model.isTrusted || mistakesOf(form, content).length > 0) return;
    page.send({ type: "memory", configuration: configurationOf(form, content) });
  };
  const draw = () =>
    place.replaceChildren(
      ...presetsOf(form, (set) => {
        change({ ...content, set: { ...content.set, ...set } });
        draw();
      }),
      section(t("Arguments"), ...form.fields.map((field) => argument(field, content, setText))),
      inputList(model.inputs, content.inputs, (inputs) => change({ ...content, inputs })),
      section(t("Run"), ...runFields(content, (part) => change({ ...content, ...part }))),
      ...filesOf(form, content, page, (part) => change({ ...content, ...part })),
    );
  page.onPicked((field, path) => {
    if (field === "task") return;
    change({ ...content, [field]: path });
    draw();
  });
  const setText = (name: string, text: string) =>
    change({ ...content, set: { ...content.set, [name]: text } });
  draw();
  change(content);
  return element(
    "div",
    {},
    element("h1", {}, form.title),
    element("p", { class: "definition" }, form.summary),
    ...form.facts.map(factLine),
    place,
    mistakes,
    actions(model, () => content, page),
  );
}

const factLine = ({ name, fact, source }: FormFact): HTMLElement => {
  const text = `${name}: ${fact}`;
  return element("p", { class: "definition" }, source === "" ? text : `${text} (${source})`);
};

const section = (title: string, ...fields: readonly Child[]): HTMLElement =>
  element("div", {}, element("h2", {}, title), element("div", { class: "form" }, ...fields));

function presetsOf(
  form: ModelForm,
  apply: (set: Readonly<Record<string, string>>) => void,
): Child[] {
  if (form.presets.length === 0) return [];
  const chooser = select({
    label: t("Preset"),
    value: "",
    choices: [
      { value: "", label: t("Choose a published size") },
      ...form.presets.map(({ label }) => ({ value: label, label })),
    ],
    onChange: (label) => apply(form.presets.find((it) => it.label === label)?.set ?? {}),
  });
  return [element("div", { class: "form" }, chooser)];
}

function argument(
  field: FormField,
  content: FormContent,
  setText: (name: string, text: string) => void,
): HTMLElement {
  const { name, annotation, default: preset } = field;
  const value = textOf(content, name);
  const onChange = (text: string) => setText(name, text);
  const choices = isFlag(field) ? ["True", "False"] : field.choices;
  if (choices.length === 0) {
    return textField({
      label: name,
      value,
      placeholder: preset ?? t("required"),
      onChange,
      ...(annotation === null ? {} : { note: annotation }),
    });
  }
  const byDefault = preset === null ? t("required") : t("{0} (default)", preset);
  return select({
    label: name,
    value,
    choices: [
      { value: "", label: byDefault },
      ...choices.filter((it) => it !== preset).map((it) => ({ value: it, label: it })),
    ],
    onChange,
  });
}

function runFields(content: FormContent, change: (part: Partial<FormContent>) => void): Child[] {
  const translated = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label: t(label) }));
  return [
    textField({
      label: t("Seed"),
      value: content.seed,
      onChange: (seed) => change({ seed }),
    }),
    select({
      label: t("Device"),
      value: content.device,
      choices: translated(deviceLabels),
      onChange: (device) => change({ device }),
    }),
    select({
      label: t("Mode"),
      value: content.mode,
      choices: [{ value: "", label: t("as the model says") }, ...translated(modeLabels)],
      onChange: (mode) => change({ mode }),
    }),
    textField({
      label: t("Loss"),
      value: content.loss,
      placeholder: t("inferred; or a Python expression of output"),
      onChange: (loss) => change({ loss }),
    }),
  ];
}

/** An ONNX file has weights of its own, and a script makes its inputs itself. */
function filesOf(
  { configuration: { uri, entry } }: ModelForm,
  content: FormContent,
  page: Page,
  change: (part: Partial<FormContent>) => void,
): Child[] {
  if (!uri.endsWith(".py")) return [];
  const weights = fileField(page, {
    field: "weights",
    label: t("Weights"),
    value: content.weights,
    placeholder: t("made by the seed; or a .safetensors, .pt or .npz file"),
    onChange: (path) => change({ weights: path }),
  });
  const tokens = fileField(page, {
    field: "tokens",
    label: t("Tokens"),
    value: content.tokens,
    placeholder: t("made up; or a text, .bin or .npy file"),
    onChange: (path) => change({ tokens: path }),
  });
  const tokenizer = fileField(page, {
    field: "tokenizer",
    label: t("Tokenizer"),
    value: content.tokenizer,
    placeholder: t("none: a text's bytes; or a tokenizer.json"),
    onChange: (path) => change({ tokenizer: path }),
  });
  const loose = checkbox({
    label: t("Load the names that agree, and tell of the others"),
    isChecked: content.isLoose,
    onChange: (isLoose) => change({ isLoose }),
  });
  return [section(t("Files"), weights, loose, ...(entry === null ? [] : [tokens, tokenizer]))];
}

function actions(model: Editing, content: () => FormContent, page: Page): HTMLElement {
  const { form, isRunning, isTrusted, runId } = model;
  const send = (type: "run" | "comparePlacements" | "exportModel") => () => {
    if (mistakesOf(form, content()).length > 0) return;
    page.send({ type, configuration: configurationOf(form, content()) });
  };
  const isDisabled = isRunning || !isTrusted;
  const entries = [
    button({ label: t("Run"), icon: "play", look: "primary", isDisabled, onPress: send("run") }),
  ];
  if (form.hasCounterpart) {
    const onPress = send("comparePlacements");
    const label = t("Compare Pre-LN and Post-LN");
    entries.push(button({ label, icon: "git-compare", isDisabled, onPress }));
  }
  const onExport = send("exportModel");
  entries.push(
    button({ label: t("Export to ONNX"), icon: "export", isDisabled, onPress: onExport }),
  );
  const onCommand = () => {
    if (mistakesOf(form, content()).length > 0) return;
    const configuration = configurationOf(form, content());
    page.send({ type: "openCommand", configuration, choice: null });
  };
  entries.push(button({ label: t("Open as a command"), icon: "terminal", onPress: onCommand }));
  if (runId !== null) {
    const onPress = () => page.send({ type: "openScript", runId });
    entries.push(button({ label: t("Open the last run's script"), icon: "file-code", onPress }));
  }
  return element("div", { class: "actions" }, ...entries);
}

const mistakeLine = ({ kind, name }: Mistake): HTMLElement => {
  const texts = {
    missing: t("'{0}' has no default: give it a value", name),
    shape: t("The shape of '{0}' needs whole numbers: 4, 64", name),
    seed: t("The seed needs to be a whole number"),
  };
  return element("p", { class: "mistake" }, icon("warning"), texts[kind]);
};
