/** The HTML page of one report or of several, side by side. */
import { type Notice, notices } from "../findings.ts";
import { blockTable } from "../layerTable.ts";
import { lineTable } from "../lineTable.ts";
import { type ReportSide, type StackSide, stackSides } from "../reportSide.ts";
import { factTable } from "../summary.ts";
import { leftColumn, type Table, type Tone, textCell } from "../table.ts";
import { chart } from "./chart.ts";
import { htmlTable } from "./htmlTable.ts";
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

function noticeSections(sides: readonly ReportSide[]): Section[] {
  return sides.flatMap(({ name, report }) => {
    const rows = notices(report).map(({ severity, place, message, evidence, code }) => [
      textCell(severity, toneOf(severity)),
      textCell(place ?? ""),
      textCell(message),
      textCell(evidence),
      textCell(code, "dim"),
    ]);
    if (rows.length === 0) return [];
    const columns = ["severity", "place", "finding", "evidence", "code"].map(leftColumn);
    const table = htmlTable({ title: "The gravest first", columns, rows }, "notices");
    return { heading: `Findings: ${name}`, body: table };
  });
}

const toneOf = (severity: Notice["severity"]): Tone =>
  severity === "information" ? "dim" : severity;
