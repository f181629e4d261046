/** The form for training, and the way to begin, stop and go on. */
import type { TrainingSummary } from "../../src/protocol/trainingPage.ts";
import type { ModelForm } from "../../src/protocol/webview.ts";
import { configurationOf, mistakesOf } from "../model/configuration.ts";
import {
  type TrainingContent,
  trainingChoiceOf,
  trainingContent,
  trainingMistakes,
} from "../model/trainingForm.ts";
import { type Page, region } from "../page.ts";
import { button } from "../ui/controls.ts";
import { type Child, element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { typedContent } from "./configure.ts";
import { mistakeLine, trainFields } from "./trainFields.ts";

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

/** Under which the page remembers what was typed. */
const trainingKey = ({ configuration: { uri, entry } }: ModelForm): string =>
  `train.${uri}.${entry}`;

/** What was typed, over what the form begins with. */
export const typedTraining = (form: ModelForm, page: Page): TrainingContent => ({
  ...trainingContent(form.training),
  ...(JSON.parse(page.recall(trainingKey(form), "{}")) as Partial<TrainingContent>),
});

function formOf(form: ModelForm, model: TrainModel, page: Page): Child[] {
  const key = trainingKey(form);
  let content = typedTraining(form, page);
  const mistakes = element("div", { role: "status" });
  const place = element("div", {});
  const change = (part: Partial<TrainingContent>) => {
    content = { ...content, ...part };
    page.remember(key, JSON.stringify(content));
    mistakes.replaceChildren(...trainingMistakes(content).map(mistakeLine));
  };
  const draw = () => place.replaceChildren(...trainFields(content, change, draw, page));
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

interface Filled {
  readonly form: ModelForm;
  readonly content: () => TrainingContent;
}

function actions(model: TrainModel, filled: Filled | null, page: Page): HTMLElement {
  const { isRunning, isTraining, isTrusted, toContinue } = model;
  const entries: HTMLElement[] = [];
  if (filled !== null) {
    const send = (type: "train" | "openCommand") => () => {
      const { form, content } = filled;
      const choice = trainingChoiceOf(content());
      const kept = typedContent(form, page);
      if (choice === null) return;
      if (mistakesOf(form, kept).length > 0) return page.openPage("configure");
      page.send({ type, configuration: configurationOf(form, kept), choice });
    };
    const isDisabled = isRunning || !isTrusted;
    const label = t("Start training");
    entries.push(
      button({ label, icon: "play", look: "primary", isDisabled, onPress: send("train") }),
    );
    const asCommand = { label: t("Open as a command"), icon: "terminal" };
    entries.push(button({ ...asCommand, onPress: send("openCommand") }));
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
