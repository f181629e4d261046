/** The HTML page of one report or of several, side by side. */
import type { RunReport } from "../../protocol/report.ts";
import { depthProfiles } from "../depthProfiles.ts";
import { type Notice, notices } from "../findings.ts";
import { layerTable, type Side, sideBySide } from "../layerTable.ts";
import { type LineRow, lineTable } from "../lineTable.ts";
import { summary } from "../summary.ts";
import { leftColumn, type Table, type Tone, textCell } from "../table.ts";
import { chart } from "./chart.ts";
import { htmlTable } from "./htmlTable.ts";
import { page, type Section } from "./page.ts";

/** A report with what the page calls it and the source lines that it shows. */
export interface PageSide {
  readonly name: string;
  readonly report: RunReport;
  readonly files: readonly { readonly title: string; readonly rows: readonly LineRow[] }[];
}

export function reportPage(sides: readonly PageSide[]): string {
  const names = sides.map(({ name }) => name).join(" and ");
  const version = sides[0]?.report.normscope ?? "";
  return page(names, `Activation and gradient statistics by Normscope ${version}`, [
    { heading: "Run", body: htmlTable(factTable(sides), "facts") },
    ...depthSections(sides),
    ...lineSections(sides),
    ...noticeSections(sides),
  ]);
}

function factTable(sides: readonly PageSide[]): Table {
  const facts = sides.map(({ report }) => summary(report));
  const labels = [...new Set(facts.flat().map(({ label }) => label))];
  const textOf = (side: number, label: string): string =>
    (facts[side] ?? [])
      .filter((fact) => fact.label === label)
      .map(({ text }) => text)
      .join("\n");
  return {
    title: "What was run, on what, and how long it took",
    columns: [leftColumn(""), ...sides.map(({ name }) => leftColumn(name))],
    rows: labels.map((label) => [
      textCell(label, "dim"),
      ...sides.map((_, side) => textCell(textOf(side, label))),
    ]),
  };
}

/** The n-th stacks of all sides share their charts. */
function depthSections(sides: readonly PageSide[]): Section[] {
  const profiles = sides.map(({ name, report }) =>
    depthProfiles(report).map((profile) => ({ name, report, profile })),
  );
  const count = Math.max(0, ...profiles.map((own) => own.length));
  return Array.from({ length: count }, (_, position) =>
    stackSections(
      profiles.flatMap((own) => own[position] ?? []),
      position,
    ),
  ).flat();
}

type StackSide = Side & { readonly report: RunReport };

function stackSections(stack: readonly StackSide[], position: number): Section[] {
  const [only, ...others] = stack;
  if (only === undefined) return [];
  const { stack: path } = only.profile;
  const table =
    others.length === 0
      ? layerTable(only.report, only.profile)
      : sideBySide(`${path}, block by block`, stack);
  return [
    { heading: `Over depth: ${path}`, body: charts(stack, position) },
    { heading: `Per block: ${path}`, body: htmlTable(table) },
  ];
}

function charts(stack: readonly Side[], position: number): string {
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

const lineSections = (sides: readonly PageSide[]): Section[] =>
  sides.flatMap(({ files }) =>
    files.map(({ title, rows }) => ({
      heading: title,
      body: htmlTable(
        lineTable("Each line shows its outermost expression, first to last block", rows),
        "code",
      ),
    })),
  );

function noticeSections(sides: readonly PageSide[]): Section[] {
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
