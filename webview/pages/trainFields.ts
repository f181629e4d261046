/** The fields of the form for training, and what is said of mistakes in them. */
import { optimizerNames, scheduleNames } from "../../src/protocol/training.ts";
import {
  type FormMistake,
  specialFields,
  type TrainingContent,
  taskChoices,
} from "../model/trainingForm.ts";
import type { Page } from "../page.ts";
import { select, textField } from "../ui/controls.ts";
import { element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { fileField } from "./fileField.ts";

/** `redraw` is called where what was chosen has other fields. */
export function trainFields(
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
  const choice = (
    name: keyof TrainingContent,
    label: string,
    choices: Readonly<Record<string, string>>,
    onChosen: () => void = () => {},
  ) =>
    select({
      label,
      value: content[name],
      choices: Object.entries(choices).map(([value, shown]) => ({ value, label: shown })),
      onChange: (value) => {
        change({ [name]: value });
        onChosen();
      },
    });
  const others = { none: t("the script's own batch"), file: t("a text or token file") };
  const tasks = { ...asIs(taskChoices), ...others };
  const orders = { random: t("drawn at random"), sequential: t("one after another") };
  const fromFile = [
    fileField(page, {
      field: "task",
      label: t("File"),
      value: content.file,
      placeholder: t("a text by its bytes, or .bin"),
      onChange: (path) => change({ file: path }),
    }),
    choice("order", t("Windows"), orders),
  ];
  const asDefault = t("PyTorch's default");
  const flags = { "": asDefault, True: "True", False: "False" };
  const decays = {
    matrices: t("matrices alone"),
    all: t("all parameters"),
  };
  const special: Readonly<Record<string, () => HTMLElement>> = {
    momentum: () => text("momentum", t("Momentum"), asDefault),
    nesterov: () => choice("nesterov", t("Nesterov"), flags),
    betas: () => text("betas", t("Betas"), t("PyTorch's default; or two: 0.9, 0.95")),
    eps: () => text("eps", t("Epsilon"), asDefault),
    end: () => text("end", t("Ends at this share of the rate"), "0"),
    decayShare: () => text("decayShare", t("Share of the steps that decay"), "0.1"),
    gamma: () => text("gamma", t("Factor of a stage"), "0.1"),
    stepLength: () => text("stepLength", t("Steps of a stage"), "100"),
  };
  const shown = specialFields(content);
  const specials = (...names: string[]) =>
    names.filter((name) => shown.has(name)).flatMap((name) => special[name]?.() ?? []);
  return [
    section(
      t("Batches"),
      choice("task", t("Task"), tasks, redraw),
      ...(content.task === "file" ? fromFile : []),
      text("steps", t("Steps")),
      text("batch", t("Rows of a batch")),
      text("seq", t("Tokens of a row")),
      text("accumulate", t("Batches of one update")),
      text("stepsPerCall", t("Steps of one run of the graph"), t("as the device likes it")),
    ),
    section(
      t("Updates"),
      choice("optimizer", t("Optimizer"), asIs(optimizerNames), redraw),
      text("lr", t("Learning rate")),
      ...specials("momentum", "nesterov", "betas", "eps"),
      text("weightDecay", t("Weight decay"), asDefault),
      choice("decay", t("Decays"), decays),
      text("clip", t("Clip the gradient's norm at"), t("not clipped")),
    ),
    section(
      t("Learning rate over steps"),
      text("warmup", t("Steps of warm-up")),
      choice("schedule", t("Schedule"), asIs(scheduleNames), redraw),
      ...specials("end", "decayShare", "gamma", "stepLength"),
    ),
  ];
}

const asIs = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name]));

const section = (title: string, ...fields: readonly HTMLElement[]): HTMLElement =>
  element("div", {}, element("h2", {}, title), element("div", { class: "form" }, ...fields));

export function mistakeLine(name: FormMistake): HTMLElement {
  const texts: Readonly<Record<FormMistake, string>> = {
    file: t("A file is needed: a text, or .bin"),
    steps: t("The number of steps needs to be a whole number above 0"),
    batch: t("The rows of a batch need to be a whole number above 0"),
    seq: t("The tokens of a row need to be a whole number above 0"),
    accumulate: t("The batches of one update need to be a whole number above 0"),
    lr: t("The learning rate needs to be a number: 1e-3"),
    momentum: t("The momentum needs to be a number from 0 to 1, or nothing"),
    betas: t("The betas need to be two numbers below 1, 0.9, 0.95, or nothing"),
    eps: t("Epsilon needs to be a number, or nothing"),
    weightDecay: t("The weight decay needs to be a number, or nothing"),
    warmup: t("The steps of warm-up need to be a whole number"),
    end: t("The share that the rate ends at needs to be a number, or nothing"),
    decayShare: t(
      "The share of the steps that decay needs to be above 0 and at most 1, or nothing",
    ),
    gamma: t("The factor of a stage needs to be a number, or nothing"),
    stepLength: t("The steps of a stage need to be a whole number above 0, or nothing"),
    clip: t("The norm to clip at needs to be a number above 0, or nothing"),
    stepsPerCall: t("The steps of one run need to be a whole number above 0, or nothing"),
  };
  return element("p", { class: "mistake" }, icon("warning"), texts[name]);
}
