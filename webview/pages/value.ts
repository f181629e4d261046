/** One value: its statistics, histogram, percentiles, slices, what narrower formats would lose. */

import { formatNumber } from "../../src/present/number.ts";
import type { DetailReport } from "../../src/protocol/engine.ts";
import type { Detail } from "../../src/protocol/report.ts";
import { chosenChart } from "../charts/chosenChart.ts";
import { histogramView } from "../charts/histogramView.ts";
import { sliceCharts } from "../model/sliceCharts.ts";
import { lossTable, statsTable } from "../model/statsTable.ts";
import { type ChosenValue, type ValueModel, valueModel } from "../model/valueModel.ts";
import { type Page, region } from "../page.ts";
import { button, progressRing, select } from "../ui/controls.ts";
import { type Child, element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { nativeTable } from "../ui/table.ts";
import { noRun } from "./shared.ts";

export const valueRegion = region<ValueModel | null>({
  name: "value",
  page: "value",
  model: ({ shown, value, detail }) => valueModel(shown, value, detail),
  draw: (model, page) => {
    const heading = element("h1", {}, t("One value"));
    if (model === null) return [heading, noRun()];
    const { chosen } = model;
    return [heading, ...choosers(model, page), ...(chosen === null ? [] : ofValue(chosen, page))];
  },
});

function choosers({ runId, sites, chosen }: ValueModel, page: Page): Child[] {
  const index = chosen?.value.index ?? -1;
  const site = sites.findIndex(({ passes }) => passes.some((pass) => pass.index === index));
  const passes = sites[site]?.passes ?? [];
  const choose = (next: number | undefined) => {
    if (next !== undefined) page.chooseValue({ runId, index: next });
  };
  const ofSite = select({
    label: t("Operation"),
    value: String(site),
    choices: sites.map(({ label }, i) => ({ value: String(i), label })),
    onChange: (next) => choose(sites[Number(next)]?.passes[0]?.index),
  });
  const ofPass = select({
    label: t("Layer"),
    value: String(index),
    choices: passes.map((pass) => ({ value: String(pass.index), label: pass.label })),
    onChange: (next) => choose(Number(next)),
  });
  return [element("div", { class: "form" }, ofSite, ...(passes.length > 1 ? [ofPass] : []))];
}

function ofValue(chosen: ChosenValue, page: Page): Child[] {
  const { title, place, type, activation, gradient, answer, value } = chosen;
  const where = `${place.file}:${place.line}`;
  const reveal = () => page.send({ type: "reveal", runId: value.runId, ...place });
  return [
    element("h2", {}, title),
    element("p", { class: "definition" }, type),
    element(
      "div",
      { class: "actions" },
      button({ label: where, icon: "go-to-file", onPress: reveal }),
    ),
    nativeTable(statsTable(t("Statistics of {0}", title), activation, gradient)),
    ...(answer === null ? [waiting(chosen, page)] : details(answer.detail, chosen, page)),
  ];
}

/** Drawing asks for the details: whoever sees the value sees its histogram a moment later. */
function waiting({ value, title }: ChosenValue, page: Page): HTMLElement {
  page.send({ type: "detail", value });
  return element(
    "div",
    { class: "progress" },
    progressRing(t("Histogram of {0}", title)),
    t("Computing the histogram"),
  );
}

function details(answer: DetailReport | null, chosen: ChosenValue, page: Page): Child[] {
  const parts: [string, Detail | null][] = [
    [t("Value"), answer?.activation ?? null],
    [t("Gradient"), answer?.gradient ?? null],
  ];
  const known = parts.filter((part): part is [string, Detail] => part[1] !== null);
  if (known.length === 0) {
    const text = t("No histogram of this value. If its source was edited, run it again first.");
    return [element("p", { class: "empty" }, text)];
  }
  const columns = known.map(([name, detail]) => detailOf(name, detail, chosen, page));
  return [element("div", { class: "charts" }, ...columns)];
}

function detailOf(name: string, detail: Detail, chosen: ChosenValue, page: Page): HTMLElement {
  const { title, place, value } = chosen;
  const { p1, p50, p99 } = detail.percentiles;
  const percentiles = [
    ["1 %", p1],
    ["50 %", p50],
    ["99 %", p99],
  ] as const;
  const whose = `${name}: ${title}`;
  return element(
    "div",
    { class: "detail" },
    histogramView(page, whose, detail.histogram),
    element("h3", {}, t("Percentiles")),
    element(
      "dl",
      { class: "facts" },
      ...percentiles.flatMap(([label, num]) => [
        element("dt", {}, label),
        element("dd", {}, formatNumber(num)),
      ]),
    ),
    element("h3", {}, t("What narrower formats would lose")),
    nativeTable(lossTable(t("Losses in narrower formats: {0}", whose), detail)),
    ...slices(sliceCharts(whose, detail)),
  );

  function slices(charts: ReturnType<typeof sliceCharts>): Child[] {
    if (charts.length === 0) return [];
    const chart = chosenChart(page, {
      key: `slices ${name}`,
      label: t("Slices of {0}", whose),
      charts,
      onPick: () => page.send({ type: "reveal", runId: value.runId, ...place }),
    });
    return [element("h3", {}, t("By axis")), chart];
  }
}
