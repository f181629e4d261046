/** The HTML page of one report or of several, side by side. */
import { notices } from "../findings.ts";
import { blockTable } from "../layerTable.ts";
import { lineTable } from "../lineTable.ts";
import { type ReportSide, type StackSide, stackSides } from "../reportSide.ts";
import { factTable } from "../summary.ts";
import type { Table } from "../table.ts";
import { chart } from "./chart.ts";
import { htmlTable } from "./htmlTable.ts";
import { noticeSection } from "./noticeSection.ts";
import { page, type Section } from "./page.ts";

export function reportPage(sides: readonly ReportSide[]): string {
  const names = sides.map(({ name }) => name).join(" and ");
  const version = sides[0]?.report.normscope ?? "";
  return page(names, `Activation and gradient statistics by Normscope ${version}`, [
    { heading: "Run", body: htmlTable(factTable(sides), "facts") },
    ...stackSides(sides).flatMap(stackSections),
    ...lineSections(sides),
    ...noticeSections(sides),
  ]);
}

/** A page of tables alone. */
export const tablePage = (title: string, tables: readonly Table[]): string =>
  page(
    title,
    "Normscope",
    tables.map((table) => ({ heading: table.title, body: htmlTable(table, "facts") })),
  );

function stackSections(stack: readonly StackSide[], position: number): Section[] {
  const path = stack[0]?.profile.stack ?? "";
  return [
    { heading: `Over depth: ${path}`, body: charts(stack, position) },
    { heading: `Per block: ${path}`, body: htmlTable(blockTable(stack)) },
  ];
}

function charts(stack: readonly StackSide[], position: number): string {
  const longest = stack.reduce<readonly string[]>(
    (labels, { profile }) => (profile.labels.length > labels.length ? profile.labels : labels),
    [],
  );
  const all = stack.flatMap(({ profile }) => profile.series);
  const byId = new Map(all.map((series) => [series.id, series]));
  const drawn = Array.from(byId.values(), (series, i) =>
    chart({
      id: `chart-${position}-${i}`,
      title: series.label,
      definition: series.definition,
      labels: longest,
      lines: stack.flatMap(({ name, profile }) =>
        profile.series.filter(({ id }) => id === series.id).map(({ values }) => ({ name, values })),
      ),
    }),
  );
  return `<div class="charts">${drawn.join("\n")}</div>`;
}

const lineSections = (sides: readonly ReportSide[]): Section[] =>
  sides.flatMap(({ files }) =>
    files.map(({ title, rows }) => ({
      heading: title,
      body: htmlTable(
        lineTable("Each line shows its outermost expression, first to last block", rows),
        "code",
      ),
    })),
  );

const noticeSections = (sides: readonly ReportSide[]): Section[] =>
  sides.flatMap(({ name, report }) => noticeSection(`Findings: ${name}`, notices(report)));
