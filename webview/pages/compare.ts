/** Two runs and more: depth profiles in the same charts, modules by how far they differ. */

import { formatNumber } from "../../src/present/number.ts";
import type { RunSummary, ShownRun } from "../../src/protocol/webview.ts";
import { lineView } from "../charts/lineView.ts";
import { type ComparisonModel, comparisonModel, type RunPair } from "../model/comparison.ts";
import type { LineChart } from "../model/lineChart.ts";
import { type Page, region } from "../page.ts";
import { button, checkbox } from "../ui/controls.ts";
import { type Child, element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { pairSection } from "./pairSection.ts";

interface CompareModel extends ComparisonModel {
  /** What Pre-LN and Post-LN can be compared of; null where nothing has been run. */
  readonly configuration: ShownRun["configuration"] | null;
}

export const compareRegion = region<CompareModel>({
  name: "compare",
  page: "compare",
  model: ({ shown, runs }) => ({
    ...comparisonModel(shown, runs),
    configuration: shown[0]?.configuration ?? null,
  }),
  draw: (model, page) => [
    element("h1", {}, t("Compare runs")),
    ...chooser(model, page),
    ...(model.pairs.length === 0 ? [hint()] : model.pairs.map(lossLine)),
    ...model.stacks.flatMap((charts) => [
      element("h2", {}, t("Over depth")),
      chartGrid(charts, model, page),
    ]),
    ...model.pairs.flatMap((pair) => pairSection(pair, model.shownIds[0] ?? "", page)),
  ],
});

const hint = (): HTMLElement =>
  element("p", { class: "empty" }, t("Choose two runs to see them side by side."));

function lossLine({ names, loss }: RunPair): HTMLElement {
  const [a, b] = [loss.a, loss.b].map((num) =>
    num === null ? "–" : formatNumber(num, { digits: 4 }),
  );
  return element(
    "p",
    { class: "definition" },
    t("Loss: {0} {1}, {2} {3}", names[0], a ?? "", names[1], b ?? ""),
  );
}

/** The newest runs; the others on request. */
const shownAtFirst = 8;

function chooser({ history, shownIds, configuration }: CompareModel, page: Page): Child[] {
  const chosen = new Set(shownIds);
  const box = (run: RunSummary): HTMLElement =>
    checkbox({
      label: runLabel(run),
      isChecked: chosen.has(run.id),
      onChange: (isChecked) => {
        if (isChecked) chosen.add(run.id);
        else chosen.delete(run.id);
        page.send({ type: "showRuns", runIds: [...chosen] });
      },
    });
  const list = element("div", { class: "choices" });
  const isFirst = (run: RunSummary, i: number) => i < shownAtFirst || chosen.has(run.id);
  list.append(...history.filter(isFirst).map(box));
  const rest = history.filter((run, i) => !isFirst(run, i));
  if (rest.length > 0) {
    const more = button({
      label: t("Show all {0}", history.length),
      onPress: () => {
        list.append(...rest.map(box));
        more.remove();
      },
    });
    list.append(more);
  }
  const group = element("fieldset", {}, element("legend", {}, t("Runs")), list);
  if (configuration === null) return [group];
  const placements = button({
    label: t("Compare Pre-LN and Post-LN"),
    icon: "git-compare",
    onPress: () => page.send({ type: "comparePlacements", configuration }),
  });
  return [group, element("div", { class: "actions" }, placements)];
}

function runLabel({ name, placement, loss, device, at }: RunSummary): string {
  const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const parts = [name, placement, t("loss {0}", formatNumber(loss)), device, time];
  return parts.filter((part) => part !== null).join(", ");
}

function chartGrid(charts: readonly LineChart[], model: CompareModel, page: Page): HTMLElement {
  const views = charts.map((chart) =>
    lineView(page, chart, {
      onPick: (line, position) => {
        const path = chart.lines[line]?.modules[position];
        const runId = model.shownIds[line];
        if (path !== undefined && runId !== undefined) {
          page.send({ type: "revealModule", runId, path });
        }
      },
    }),
  );
  return element("div", { class: "charts" }, ...views);
}
