/** The dashboard: over depth, layer by site, findings, device and why. */
import { chosenChart } from "../charts/chosenChart.ts";
import { heatView } from "../charts/heatView.ts";
import { type DashboardModel, dashboardModel, type StackModel } from "../model/dashboard.ts";
import type { LineChart } from "../model/lineChart.ts";
import { type Page, region } from "../page.ts";
import { button, select } from "../ui/controls.ts";
import { type Child, element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { noticeList } from "./noticeList.ts";

export const dashboardRegion = region<DashboardModel | null>({
  name: "dashboard",
  page: null,
  model: ({ shown }) => dashboardModel(shown),
  draw: (model, page) => (model === null ? [nothingYet()] : content(model, page)),
});

const nothingYet = (): HTMLElement =>
  element(
    "div",
    { class: "welcome" },
    element("h1", {}, "Normscope"),
    element("p", {}, t("Nothing has been run yet.")),
    element("p", {}, t("Open a model file and press Run above a class.")),
  );

const content = (model: DashboardModel, page: Page): Child[] => [
  head(model, page),
  ...model.stacks.flatMap((stack) => depthSection(stack, model, page)),
  ...(model.stacks.length > 0
    ? []
    : [element("p", { class: "empty" }, t("No residual blocks were found in this model."))]),
  element("h2", {}, t("Findings")),
  noticeList(model.notices, (file, line) =>
    page.send({ type: "reveal", runId: model.runId, file, line }),
  ),
  ...model.stacks.flatMap((stack) => [
    element("h2", {}, t("Layer by site"), ...pathOf(stack)),
    siteMap(stack, model.runId, page),
  ]),
  element("h2", {}, t("Device and run")),
  facts(model),
];

function head({ title, subtitle, isStale, runIds }: DashboardModel, page: Page): HTMLElement {
  const open = (where: "compare" | "attention" | "configure") => () =>
    page.send({ type: "open", page: where, runIds: [...runIds], value: null });
  const link = (label: string, glyph: string, where: "compare" | "attention" | "configure") =>
    button({ label, icon: glyph, look: "icon", onPress: open(where) });
  return element(
    "header",
    {},
    element(
      "div",
      { class: "head" },
      element("h1", {}, title),
      link(t("Configure"), "settings", "configure"),
      link(t("Compare"), "git-compare", "compare"),
      link(t("Attention"), "eye", "attention"),
    ),
    element("p", { class: "definition" }, subtitle),
    ...(isStale
      ? [element("p", { class: "stale" }, icon("history"), t("The source was edited since."))]
      : []),
  );
}

const forwardSeries = /^(streamRms|branchRatio)/;

function depthSection(stack: StackModel, { runId }: DashboardModel, page: Page): Child[] {
  const { path, charts } = stack;
  const onPick = ({ lines }: LineChart, line: number, position: number) => {
    const module = lines[line]?.modules[position];
    if (module !== undefined) page.send({ type: "revealModule", runId, path: module });
  };
  const depth = (label: string, isForward: boolean) =>
    chosenChart(page, {
      key: `${path}.${isForward ? "forward" : "backward"}`,
      label,
      charts: charts.filter(([id]) => forwardSeries.test(id) === isForward),
      onPick,
    });
  return [
    element("h2", {}, t("Over depth"), ...pathOf(stack)),
    element("div", { class: "charts" }, depth(t("Forward"), true), depth(t("Backward"), false)),
  ];
}

const pathOf = ({ path }: StackModel): Child[] =>
  path === "" ? [] : [" ", element("code", {}, path)];

function siteMap({ path, sites }: StackModel, runId: string, page: Page): HTMLElement {
  const place = element("div", {});
  const key = `${path}.sites`;
  const draw = (which: string) => {
    const grid = which === "backward" ? sites.backward : sites.forward;
    const chooser = select({
      label: t("Pass"),
      isLabelHidden: true,
      value: which,
      choices: [
        { value: "forward", label: sites.forward.title },
        { value: "backward", label: sites.backward.title },
      ],
      onChange: (next) => {
        page.remember(key, next);
        draw(next);
      },
    });
    const onPick = (row: number) => {
      const source = grid.rows[row]?.place ?? null;
      if (source !== null) page.send({ type: "reveal", runId, ...source });
    };
    place.replaceChildren(heatView(page, grid, { chooser, onPick }));
  };
  draw(page.recall(key, "forward"));
  return place;
}

const facts = ({ facts: all }: DashboardModel): HTMLElement =>
  element(
    "dl",
    { class: "facts" },
    ...all.flatMap(({ label, text }) => [element("dt", {}, t(label)), element("dd", {}, text)]),
  );
