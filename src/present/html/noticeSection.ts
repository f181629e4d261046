/** Findings as a section of a page. */
import type { Notice } from "../findings.ts";
import { leftColumn, type Tone, textCell } from "../table.ts";
import { htmlTable } from "./htmlTable.ts";
import type { Section } from "./page.ts";

/** None for no findings. */
export function noticeSection(heading: string, found: readonly Notice[]): Section[] {
  if (found.length === 0) return [];
  const rows = found.map(({ severity, place, message, evidence, code }) => [
    textCell(severity, toneOf(severity)),
    textCell(place ?? ""),
    textCell(message),
    textCell(evidence),
    textCell(code, "dim"),
  ]);
  const columns = ["severity", "place", "finding", "evidence", "code"].map(leftColumn);
  const table = htmlTable({ title: "The gravest first", columns, rows }, "notices");
  return [{ heading, body: table }];
}

const toneOf = (severity: Notice["severity"]): Tone =>
  severity === "information" ? "dim" : severity;
