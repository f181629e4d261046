/** What the dashboard shows of a run, and of the runs beside it, as data for its drawing. */
import { stacks } from "../../src/present/blocks.ts";
import { type Notice, notices } from "../../src/present/findings.ts";
import { formatMs, formatNumber } from "../../src/present/number.ts";
import { stackSides } from "../../src/present/reportSide.ts";
import { deviceAndWhy, type Fact, modelName, summary } from "../../src/present/summary.ts";
import type { ShownRun } from "../../src/protocol/webview.ts";
import { t } from "../ui/strings.ts";
import { depthCharts, type LineChart } from "./lineChart.ts";
import { type SiteGrids, siteGrids } from "./siteGrids.ts";

export interface DashboardModel {
  readonly runId: string;
  readonly runIds: readonly string[];
  readonly title: string;
  /** "Pre-LN, 12 blocks, loss 6.02, cpu, 4.5 s". */
  readonly subtitle: string;
  readonly isStale: boolean;
  readonly stacks: readonly StackModel[];
  readonly notices: readonly Notice[];
  readonly facts: readonly Fact[];
}

export interface StackModel {
  readonly path: string;
  /** By the id of the series, those of the forward pass first. */
  readonly charts: readonly (readonly [string, LineChart])[];
  readonly sites: SiteGrids;
}

/** null while nothing has been run. */
export function dashboardModel(shown: readonly ShownRun[]): DashboardModel | null {
  const [first] = shown;
  if (first === undefined) return null;
  const { report, summary: run } = first;
  const sides = shown.map(({ label, report: own }) => ({ name: label, report: own, files: [] }));
  const ownStacks = stacks(report);
  return {
    runId: run.id,
    runIds: shown.map((it) => it.summary.id),
    title: modelName(report),
    subtitle: subtitleOf(first),
    isStale: run.isStale,
    stacks: stackSides(sides).flatMap((side, i) => {
      const stack = ownStacks[i];
      if (stack === undefined) return [];
      return {
        path: stack.path,
        charts: [...depthCharts(side)],
        sites: siteGrids(report, stack),
      };
    }),
    notices: notices(report),
    facts: summary(report).filter(({ label }) => label !== "model"),
  };
}

function subtitleOf({ report, summary: run }: ShownRun): string {
  const depth = report.blocks.length;
  const parts = [
    run.placement,
    depth === 0 ? null : depth === 1 ? t("1 block") : t("{0} blocks", depth),
    t("loss {0}", formatNumber(report.loss)),
    deviceAndWhy(report).split("  ")[0],
    formatMs(report.timing.totalMs),
  ];
  return parts.filter((part) => part !== null).join(", ");
}
