/** Reports as text for the terminal. */
import { depthTable } from "../present/depthTable.ts";
import { type Notice, notices } from "../present/findings.ts";
import { blockTable } from "../present/layerTable.ts";
import { lineTable } from "../present/lineTable.ts";
import { type ReportSide, type StackSide, stackSides } from "../present/reportSide.ts";
import { factTable } from "../present/summary.ts";
import { heading } from "./heading.ts";
import type { Output, Style } from "./output.ts";
import { printedLines } from "./printedLines.ts";
import { textTable } from "./textTable.ts";
import { printable } from "./textWidth.ts";

/** Facts, depth, blocks, lines and findings: of one report, or of several side by side. */
export function reportText(sides: readonly ReportSide[], output: Output): string[] {
  return [
    ...textTable(factTable(sides), output),
    ...stackSides(sides).flatMap((stack) => stackText(stack, output)),
    ...sides.flatMap((side) => lineTexts(side, output)),
    ...sides.flatMap((side) => printsOf(side, sides.length > 1, output)),
    ...sides.flatMap((side) => noticeText(side, sides.length > 1, output)),
  ];
}

function stackText(stack: readonly StackSide[], output: Output): string[] {
  const names = [...new Set(stack.map(({ profile }) => profile.stack))].join(" and ");
  return [
    ...heading(`Over depth: ${names}`, output),
    ...textTable(depthTable(stack), output),
    ...heading(`Per block: ${names}`, output),
    ...textTable(blockTable(stack), output),
  ];
}

const lineTexts = ({ files }: ReportSide, output: Output): string[] =>
  files.flatMap(({ title, rows }) =>
    rows.length === 0
      ? []
      : [...heading(title, output), ...textTable(lineTable(title, rows), output)],
  );

const styleOf: Readonly<Record<Notice["severity"], Style>> = {
  error: "error",
  warning: "warning",
  information: "accent",
};

const printsOf = ({ name, report }: ReportSide, isNamed: boolean, output: Output): string[] =>
  printedLines(isNamed ? `Printed: ${name}` : "Printed", report.printed ?? [], output);

const noticeText = ({ name, report }: ReportSide, isNamed: boolean, output: Output): string[] =>
  noticeLines(isNamed ? `Findings: ${name}` : "Findings", notices(report), output);

export function noticeLines(title: string, found: readonly Notice[], output: Output): string[] {
  if (found.length === 0) return [];
  return [
    ...heading(title, output),
    ...found.flatMap(({ severity, place, message, evidence, code }) => [
      `${output.paint(styleOf[severity], severity)}  ${printable(message)}`,
      output.paint(
        "dim",
        `  ${[place, evidence, code].filter((part) => part !== null && part !== "").join("  ")}`,
      ),
    ]),
  ];
}
