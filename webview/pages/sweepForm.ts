/** The form for a sweep, and the way to begin, stop and go on. */
import { openRuns } from "../../src/protocol/sweepPage.ts";
import type { ModelForm } from "../../src/protocol/webview.ts";
import { configurationOf, mistakesOf } from "../model/configuration.ts";
import {
  type AxisContent,
  axisNames,
  type SweepContent,
  type SweepMistake,
  sweepChoiceOf,
  sweepContent,
  sweepMistakes,
  usualValues,
} from "../model/sweepForm.ts";
import { trainingChoiceOf } from "../model/trainingForm.ts";
import { type Page, region } from "../page.ts";
import { button, select, textField } from "../ui/controls.ts";
import { type Child, element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { typedContent } from "./configure.ts";
import { typedTraining } from "./train.ts";

interface SweepFormModel {
  readonly form: ModelForm | null;
  readonly isRunning: boolean;
  readonly isSweeping: boolean;
  readonly isTrusted: boolean;
  /** Runs of the last sweep that gave no numbers. */
  readonly open: number;
}

export const sweepFormRegion = region<SweepFormModel>({
  name: "sweepForm",
  page: "sweep",
  model: ({ form, progress, isTrusted, sweep }) => {
    const isSweeping = sweep?.isRunning === true;
    // While runs come in the form stays as it is.
    const open = sweep === null || isSweeping ? 0 : openRuns(sweep);
    return { form, isRunning: progress !== null, isSweeping, isTrusted, open };
  },
  draw: (model, page) => [
    element("h1", {}, t("Sweep")),
    ...(model.form === null
      ? [noModel(), actions(model, null, page)]
      : formOf(model.form, model, page)),
  ],
});

const noModel = (): HTMLElement =>
  element(
    "p",
    { class: "empty" },
    t("No model is chosen. Run the command Normscope: Sweep in a model file."),
  );

function formOf(form: ModelForm, model: SweepFormModel, page: Page): Child[] {
  const key = `sweep.${form.configuration.uri}.${form.configuration.entry}`;
  let content: SweepContent = {
    ...sweepContent(form),
    ...(JSON.parse(page.recall(key, "{}")) as Partial<SweepContent>),
  };
  const mistakes = element("div", { role: "status" });
  const place = element("div", {});
  const change = (part: Partial<SweepContent>) => {
    content = { ...content, ...part };
    page.remember(key, JSON.stringify(content));
    mistakes.replaceChildren(...sweepMistakes(content).map(mistakeLine));
  };
  const draw = () =>
    place.replaceChildren(
      ...content.axes.map((axis, at) => axisRow(form, axis, at, editing)),
      element("div", { class: "actions" }, adding(form, editing)),
      element("div", { class: "form" }, ...others(content, change)),
    );
  const editing: Editing = {
    axes: () => content.axes,
    change: (axes) => change({ axes }),
    draw,
  };
  draw();
  change({});
  const text = t(
    "{0}; arguments, seed and device as on the page Configure, training as on the page Train",
    form.title,
  );
  const filled = { form, content: () => content };
  return [
    element("p", { class: "definition" }, text),
    place,
    mistakes,
    actions(model, filled, page),
  ];
}

interface Editing {
  readonly axes: () => readonly AxisContent[];
  readonly change: (axes: readonly AxisContent[]) => void;
  readonly draw: () => void;
}

function axisRow(
  form: ModelForm,
  { name, values }: AxisContent,
  at: number,
  { axes, change, draw }: Editing,
): HTMLElement {
  const put = (axis: AxisContent) => change(axes().map((it, i) => (i === at ? axis : it)));
  const chooser = select({
    label: t("Over"),
    value: name,
    choices: axisNames(form).map((value) => ({ value, label: value })),
    onChange: (chosen) => {
      put({ name: chosen, values: usualValues(form, chosen) });
      draw();
    },
  });
  const field = textField({
    label: t("Values of {0}", name),
    value: values,
    placeholder: "2, 4, 8",
    onChange: (text) => put({ name, values: text }),
  });
  const remove = button({
    label: t("Remove {0}", name),
    icon: "trash",
    look: "icon",
    isDisabled: axes().length === 1,
    onPress: () => {
      change(axes().filter((_, i) => i !== at));
      draw();
    },
  });
  const attributes = { class: "form axis-row", role: "group", "aria-label": t("Axis {0}", name) };
  return element("div", attributes, chooser, field, remove);
}

function adding(form: ModelForm, { axes, change, draw }: Editing): HTMLElement {
  const taken = axes().map(({ name }) => name);
  const free = axisNames(form).find((name) => !taken.includes(name));
  return button({
    label: t("Add an axis"),
    icon: "add",
    isDisabled: free === undefined,
    onPress: () => {
      const name = free ?? "";
      change([...axes(), { name, values: usualValues(form, name) }]);
      draw();
    },
  });
}

const others = (
  { seeds, measure }: SweepContent,
  change: (part: Partial<SweepContent>) => void,
): HTMLElement[] => [
  textField({
    label: t("Seeds of each setting"),
    value: seeds,
    onChange: (text) => change({ seeds: text }),
  }),
  select({
    label: t("Measured"),
    value: measure,
    choices: [
      { value: "init", label: t("at initialisation") },
      { value: "train", label: t("after training") },
    ],
    onChange: (chosen) => change({ measure: chosen }),
  }),
];

interface Filled {
  readonly form: ModelForm;
  readonly content: () => SweepContent;
}

function actions(model: SweepFormModel, filled: Filled | null, page: Page): HTMLElement {
  const { isRunning, isSweeping, isTrusted, open } = model;
  const entries: HTMLElement[] = [];
  if (filled !== null) {
    const onPress = () => start(filled, page);
    const isDisabled = isRunning || !isTrusted;
    const label = t("Start the sweep");
    entries.push(button({ label, icon: "play", look: "primary", isDisabled, onPress }));
  }
  if (isSweeping) {
    const onPress = () => page.send({ type: "cancel" });
    entries.push(button({ label: t("Stop"), icon: "debug-stop", onPress }));
  }
  if (open > 0 && !isRunning && isTrusted) {
    const onPress = () => page.send({ type: "continueSweep" });
    const label = t("Go on with {0} runs", open);
    entries.push(button({ label, icon: "debug-continue", onPress }));
  }
  return element("div", { class: "actions" }, ...entries);
}

/** What is wrong on another page is shown there. */
function start({ form, content }: Filled, page: Page): void {
  const sweep = sweepChoiceOf(content());
  const choice = trainingChoiceOf(typedTraining(form, page));
  const kept = typedContent(form, page);
  if (sweep === null) return;
  if (choice === null) {
    page.openPage("train");
    return;
  }
  const swept = sweep.axes.map(({ name }) => name);
  const missing = mistakesOf(form, kept).filter(({ name }) => !swept.includes(name));
  if (missing.length > 0) {
    page.openPage("configure");
    return;
  }
  page.send({ type: "sweep", configuration: configurationOf(form, kept), sweep, choice });
}

function mistakeLine({ kind, name }: SweepMistake): HTMLElement {
  const texts: Readonly<Record<SweepMistake["kind"], string>> = {
    values: t("'{0}' needs values, parted by commas: 2, 4, 8", name),
    twice: t("'{0}' can be swept over once", name),
    untrained: t("'{0}' is a setting of training: measure after training", name),
    seeds: t("The seeds need to be a whole number from 1 to 100"),
    many: t("{0} runs are too many", name),
  };
  return element("p", { class: "mistake" }, icon("warning"), texts[kind]);
}
