/** A sweep: medians, exponents beside the theory's, charts. */
import {
  type AxisFit,
  axisFits,
  type SweepRow,
  sweepRows,
} from "../../src/present/sweep/results.ts";
import { fitTable, sweepTable } from "../../src/present/sweep/tables.ts";
import { openRuns, type SweepShown } from "../../src/protocol/sweepPage.ts";
import { lineView } from "../charts/lineView.ts";
import { sweepCharts } from "../model/sweepCharts.ts";
import { type Page, region } from "../page.ts";
import { type Child, element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { nativeTable } from "../ui/table.ts";

export const sweepRegion = region<SweepShown | null>({
  name: "sweep",
  page: "sweep",
  model: ({ sweep }) => sweep,
  draw: (sweep, page) => (sweep === null ? [] : content(sweep, page)),
});

function content(sweep: SweepShown, page: Page): Child[] {
  const { subject, axes, measure, outcomes, failures, isRunning } = sweep;
  const rows = sweepRows(outcomes);
  const fits = axisFits(rows);
  const done = outcomes.length - openRuns(sweep);
  const count =
    measure === "train"
      ? t("{0} of {1} runs, after training", done, outcomes.length)
      : t("{0} of {1} runs, at initialisation", done, outcomes.length);
  const state = isRunning ? t("running") : "";
  return [
    element("h2", {}, t("Sweep of {0} over {1}", subject, axes.join(", "))),
    element("p", { class: "definition" }, [count, state].filter((it) => it !== "").join(", ")),
    nativeTable(sweepTable(rows), { isCaptionSeen: true }),
    ...(fits.length > 0 ? [nativeTable(fitTable(fits), { isCaptionSeen: true })] : []),
    ...failures.map((text) => element("p", { class: "mistake" }, icon("warning"), text)),
    // While runs come in, charts would jump.
    ...(isRunning ? [] : [element("h2", {}, t("Medians")), charts(rows, fits, page)]),
  ];
}

const charts = (rows: readonly SweepRow[], fits: readonly AxisFit[], page: Page): HTMLElement =>
  element(
    "div",
    { class: "charts" },
    ...sweepCharts(rows, fits).map((chart) => lineView(page, chart, { onPick: () => {} })),
  );
