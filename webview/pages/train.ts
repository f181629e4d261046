/** The form for training, and the way to begin, stop and go on. */
import { optimizerNames, scheduleNames } from "../../src/protocol/training.ts";
import type { TrainingSummary } from "../../src/protocol/trainingPage.ts";
import type { ModelForm } from "../../src/protocol/webview.ts";
import { configurationOf, contentFrom, contentOf, mistakesOf } from "../model/configuration.ts";
import {
  type TrainingContent,
  taskChoices,
  trainingChoiceOf,
  trainingContent,
  trainingMistakes,
} from "../model/trainingForm.ts";
import { type Page, region } from "../page.ts";
import { button, select, textField } from "../ui/controls.ts";
import { type Child, element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { formKey } from "./configure.ts";
import { fileField } from "./fileField.ts";

interface TrainModel {
  readonly form: ModelForm | null;
  readonly isRunning: boolean;
  readonly isTraining: boolean;
  readonly isTrusted: boolean;
  /** The newest run, where it can be gone on with. */
  readonly toContinue: Pick<TrainingSummary, "id" | "name"> | null;
}

export const trainRegion = region<TrainModel>({
  name: "train",
  page: "train",
  model: ({ form, progress, isTrusted, trainings: { list } }) => {
    const [newest] = list;
    const toContinue = newest?.canContinue ? { id: newest.id, name: newest.name } : null;
    const isTraining = list.some(({ state }) => state === "running");
    return { form, isRunning: progress !== null, isTraining, isTrusted, toContinue };
  },
  draw: (model, page) => [
    element("h1", {}, t("Train")),
    ...(model.form === null
      ? [noModel(), actions(model, null, page)]
      : formOf(model.form, model, page)),
  ],
});

const noModel = (): HTMLElement =>
  element(
    "p",
    { class: "empty" },
    t("No model is chosen. Run the command Normscope: Train in a model file."),
  );

function formOf(form: ModelForm, model: TrainModel, page: Page): Child[] {
  const key = `train.${form.configuration.uri}.${form.configuration.entry}`;
  let content: TrainingContent = {
    ...trainingContent(form.training),
    ...(JSON.parse(page.recall(key, "{}")) as Partial<TrainingContent>),
  };
  const mistakes = element("div", { role: "status" });
  const place = element("div", { class: "form" });
  const change = (part: Partial<TrainingContent>) => {
    content = { ...content, ...part };
    page.remember(key, JSON.stringify(content));
    mistakes.replaceChildren(...trainingMistakes(content).map(mistakeLine));
  };
  const draw = () => place.replaceChildren(...fields(content, change, draw, page));
  page.onPicked((field, path) => {
    if (field !== "task") return;
    change({ file: path });
    draw();
  });
  draw();
  change({});
  return [
    element(
      "p",
      { class: "definition" },
      t("{0}; arguments, seed and device as on the page Configure", form.title),
    ),
    place,
    mistakes,
    actions(model, { form, content: () => content }, page),
  ];
}

function fields(
  content: TrainingContent,
  change: (part: Partial<TrainingContent>) => void,
  redraw: () => void,
  page: Page,
): HTMLElement[] {
  const text = (name: keyof TrainingContent, label: string, placeholder = "") =>
    textField({
      label,
      value: content[name],
      placeholder,
      onChange: (value) => change({ [name]: value }),
    });
  const choice = (name: keyof TrainingContent, label: string, names: readonly string[]) =>
    select({
      label,
      value: content[name],
      choices: names.map((value) => ({ value, label: value })),
      onChange: (value) => change({ [name]: value }),
    });
  const others: Readonly<Record<string, string>> = {
    none: t("the script's own batch"),
    file: t("a text or token file"),
  };
  const task = select({
    label: t("Task"),
    value: content.task,
    choices: taskChoices.map((value) => ({ value, label: others[value] ?? value })),
    onChange: (value) => {
      change({ task: value });
      redraw();
    },
  });
  const file = fileField(page, {
    field: "task",
    label: t("File"),
    value: content.file,
    placeholder: t("a text by its bytes, or .bin"),
    onChange: (path) => change({ file: path }),
  });
  return [
    task,
    ...(content.task === "file" ? [file] : []),
    text("steps", t("Steps")),
    text("batch", t("Rows of a batch")),
    text("seq", t("Tokens of a row")),
    choice("optimizer", t("Optimizer"), optimizerNames),
    text("lr", t("Learning rate")),
    text("warmup", t("Steps of warm-up")),
    choice("schedule", t("Schedule"), scheduleNames),
    text("clip", t("Clip the gradient's norm at"), t("not clipped")),
  ];
}

interface Filled {
  readonly form: ModelForm;
  readonly content: () => TrainingContent;
}

function actions(model: TrainModel, filled: Filled | null, page: Page): HTMLElement {
  const { isRunning, isTraining, isTrusted, toContinue } = model;
  const entries: HTMLElement[] = [];
  if (filled !== null) {
    const start = () => {
      const { form, content } = filled;
      const choice = trainingChoiceOf(content());
      const kept = contentFrom(page.recall(formKey(form), ""), contentOf(form));
      if (choice === null) return;
      if (mistakesOf(form, kept).length > 0) return page.openPage("configure");
      page.send({ type: "train", configuration: configurationOf(form, kept), choice });
    };
    const isDisabled = isRunning || !isTrusted;
    const label = t("Start training");
    entries.push(button({ label, icon: "play", look: "primary", isDisabled, onPress: start }));
  }
  if (isTraining) {
    const onPress = () => page.send({ type: "cancel" });
    entries.push(button({ label: t("Stop after this step"), icon: "debug-stop", onPress }));
  }
  if (toContinue !== null && !isRunning && isTrusted) {
    const onPress = () => page.send({ type: "continueTraining", id: toContinue.id });
    entries.push(button({ label: t("Continue the last run"), icon: "debug-continue", onPress }));
  }
  return element("div", { class: "actions" }, ...entries);
}

function mistakeLine(name: ReturnType<typeof trainingMistakes>[number]): HTMLElement {
  const texts = {
    file: t("A file is needed: a text, or .bin"),
    steps: t("The number of steps needs to be a whole number above 0"),
    batch: t("The rows of a batch need to be a whole number above 0"),
    seq: t("The tokens of a row need to be a whole number above 0"),
    lr: t("The learning rate needs to be a number: 1e-3"),
    warmup: t("The steps of warm-up need to be a whole number"),
    clip: t("The norm to clip at needs to be a number above 0, or nothing"),
  };
  return element("p", { class: "mistake" }, icon("warning"), texts[name]);
}
