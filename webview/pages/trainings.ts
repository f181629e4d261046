/** Runs of training: the list of them, and the charts of those that are chosen. */
import { findingNotices } from "../../src/present/findings.ts";
import { formatNumber } from "../../src/present/number.ts";
import type {
  TrainingSeries,
  TrainingSummary,
  TrainingsShown,
} from "../../src/protocol/trainingPage.ts";
import { heatView } from "../charts/heatView.ts";
import { lineView } from "../charts/lineView.ts";
import type { LineChart } from "../model/lineChart.ts";
import { lossChart, trainingGrids } from "../model/trainingCharts.ts";
import { type Page, region } from "../page.ts";
import { button, checkbox } from "../ui/controls.ts";
import { type Child, element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { noticeList } from "./noticeList.ts";

interface ListModel {
  readonly list: readonly TrainingSummary[];
  readonly shownIds: readonly string[];
  readonly canRun: boolean;
}

/** Drawn anew when a run begins or ends, not at its steps: what changes cannot be clicked. */
export const trainingListRegion = region<ListModel>({
  name: "trainingList",
  page: "train",
  model: ({ trainings: { list, shown }, progress, isTrusted }) => ({
    list: list.map((it) => (it.state === "running" ? { ...it, step: 0, loss: null } : it)),
    shownIds: shown.map(({ summary }) => summary.id),
    canRun: progress === null && isTrusted,
  }),
  draw: ({ list, ...model }, page) =>
    list.length === 0
      ? []
      : [
          element("h2", {}, t("Runs of training")),
          element("ul", { class: "trainings" }, ...list.map((it) => entry(it, model, page))),
        ],
});

function entry(
  run: TrainingSummary,
  { shownIds, canRun }: Omit<ListModel, "list">,
  page: Page,
): HTMLElement {
  const { id, name, canContinue, state } = run;
  const box = checkbox({
    label: name,
    isChecked: shownIds.includes(id),
    onChange: (isChecked) => {
      const ids = isChecked ? [...shownIds, id] : shownIds.filter((it) => it !== id);
      page.send({ type: "showTrainings", ids });
    },
  });
  const parts: HTMLElement[] = [];
  if (canContinue && canRun) {
    const label = t("Continue {0}", name);
    const onPress = () => page.send({ type: "continueTraining", id });
    parts.push(button({ label, icon: "debug-continue", look: "icon", onPress }));
  }
  const openCommand = () => page.send({ type: "openTrainingCommand", id });
  const command = t("Open the command of {0}", name);
  parts.push(button({ label: command, icon: "terminal", look: "icon", onPress: openCommand }));
  if (state !== "running") {
    const onPress = () => page.send({ type: "removeTraining", id });
    parts.push(button({ label: t("Remove {0}", name), icon: "trash", look: "icon", onPress }));
  }
  const text = element("span", { class: "definition" }, stateText(run));
  return element("li", {}, box, text, ...parts);
}

/** "300 of 300 steps, loss 1.46". */
function stateText({ state, step, total, loss }: TrainingSummary): string {
  const states = {
    running: t("running"),
    done: t("done"),
    stopped: t("stopped"),
    "not-finite": t("not finite"),
    failed: t("failed"),
    interrupted: t("interrupted"),
  };
  if (state === "running") return states.running;
  const steps = t("{0} of {1} steps", step, total);
  const parts = [states[state], steps, loss === null ? "" : t("loss {0}", formatNumber(loss))];
  return parts.filter((part) => part !== "").join(", ");
}

export const trainingChartsRegion = region<Pick<TrainingsShown, "shown">>({
  name: "trainingCharts",
  page: "train",
  model: ({ trainings: { shown } }) => ({ shown }),
  draw: ({ shown }, page) => {
    const chart = lossChart(shown);
    return [
      ...shown.flatMap((run) => endOf(run, page)),
      ...(chart === null ? [] : [lossView(chart, page)]),
      ...shown.flatMap((run) => findingsOf(run, page)),
      ...shown.flatMap((run) => mapsOf(run, page)),
    ];
  },
});

function lossView(chart: LineChart, page: Page): HTMLElement {
  const view = lineView(page, chart, { onPick: () => {} });
  view.classList.add("wide");
  return element("div", { class: "charts" }, view);
}

/** How a run goes, or what ended it. */
function endOf({ summary, steps, loss }: TrainingSeries, page: Page): Child[] {
  const { id, name, state, step, total, message, place } = summary;
  if (state === "running" && steps.length > 0) {
    const last = formatNumber(loss.at(-1) ?? "NaN");
    const text = t("{0}: step {1} of {2}, loss {3}", name, step, total, last);
    return [element("p", { class: "training-now" }, text)];
  }
  if (message === null || (state !== "failed" && state !== "not-finite")) return [];
  const head = state === "failed" ? t("Training failed. ") : t("Not finite at step {0}. ", step);
  const line: Child[] = [];
  if (place !== null) {
    const show = () => page.send({ type: "revealTraining", id, ...place });
    const label = `${place.file}:${place.line}`;
    line.push(button({ label, icon: "go-to-file", onPress: show }));
  }
  return [
    element(
      "div",
      { class: "failure" },
      element("p", {}, icon("error"), element("strong", {}, head), message),
      ...line,
      element("p", { class: "definition" }, name),
    ),
  ];
}

/** What the steps showed that is likely to be a mistake. */
function findingsOf({ summary, findings }: TrainingSeries, page: Page): Child[] {
  if (findings.length === 0) return [];
  const { id, name } = summary;
  const reveal = (file: string, line: number) =>
    page.send({ type: "revealTraining", id, file, line });
  return [
    element("h2", {}, t("Findings of {0}", name)),
    noticeList(findingNotices(findings), reveal),
  ];
}

function mapsOf(run: TrainingSeries, page: Page): Child[] {
  const maps = trainingGrids(run).map((grid) => heatView(page, grid, { onPick: () => {} }));
  if (maps.length === 0) return [];
  return [element("h2", {}, run.summary.name), element("div", { class: "charts" }, ...maps)];
}
