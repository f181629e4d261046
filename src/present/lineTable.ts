/** Source lines with their numbers beside them. */
import type { RunReport } from "../protocol/report.ts";
import { type LineNote, lineNotes } from "./lineNotes.ts";
import { codeColumn, leftColumn, rightColumn, type Table, textCell } from "./table.ts";

/** One-based, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface LineRow {
  readonly line: number;
  /** Text of the line without its indentation in common with the others. */
  readonly source: string;
  readonly note: LineNote | null;
}

/** The lines of `range`, or only those that have numbers. */
export function lineRows(
  report: RunReport,
  file: string,
  source: string,
  range: LineRange | null,
): LineRow[] {
  const lines = source.split(/\r?\n/);
  const notes = new Map(lineNotes(report, file).map((note) => [note.line, note]));
  const chosen =
    range === null
      ? [...notes.keys()]
      : Array.from({ length: range.last - range.first + 1 }, (_, i) => range.first + i);
  const rows = chosen.map((line) => ({
    line,
    source: lines[line - 1] ?? "",
    note: notes.get(line) ?? null,
  }));
  return dedented(rows);
}

/** Drops the methods of a class in which no line was measured, and what stands before the first. */
export function measuredMethods(rows: readonly LineRow[]): LineRow[] {
  const isHead = ({ source }: LineRow) => /^\s*(async\s+)?def\s/.test(source);
  const starts = rows.flatMap((row, i) => (isHead(row) ? i : []));
  const methods = starts.map((start, i) => rows.slice(start, starts[i + 1] ?? rows.length));
  return dedented(methods.filter((method) => method.some(({ note }) => note !== null)).flat());
}

/** Without the indentation that all lines have. */
function dedented(rows: readonly LineRow[]): LineRow[] {
  const indents = rows.filter(({ source }) => source.trim() !== "").map(indentOf);
  const common = Math.min(...indents);
  return rows.map((row) => ({ ...row, source: row.source.slice(common).trimEnd() }));
}

const indentOf = ({ source }: LineRow): number => source.length - source.trimStart().length;

export function lineTable(title: string, rows: readonly LineRow[]): Table {
  return {
    title,
    columns: [
      rightColumn("line"),
      codeColumn("source"),
      rightColumn("forward RMS"),
      leftColumn(""),
      rightColumn("gradient RMS"),
      leftColumn(""),
      rightColumn("runs"),
    ],
    rows: rows.map(({ line, source, note }) => [
      textCell(String(line), "dim"),
      note === null ? textCell(source, "dim") : textCell(source),
      textCell(note === null ? "" : `→ ${note.forward.range}`),
      note?.nonFinite ? textCell(note.nonFinite, "error") : textCell(note?.forward.spark ?? ""),
      textCell(note?.gradient ? `← ${note.gradient.range}` : ""),
      textCell(note?.gradient?.spark ?? ""),
      textCell(note === null || note.passes === 1 ? "" : `×${note.passes}`),
    ]),
  };
}

/**
 * From the `class` or `def` at `line` to the last line that is indented below it. Python's own
 * rules for brackets and strings are not needed: text within a class is indented in practice.
 */
export function definitionRange(source: string, line: number): LineRange {
  const lines = source.split(/\r?\n/);
  const indent = (text: string) => text.length - text.trimStart().length;
  const own = indent(lines[line - 1] ?? "");
  let last = line;
  for (let next = line + 1; next <= lines.length; next++) {
    const text = lines[next - 1] ?? "";
    if (text.trim() === "") continue;
    if (indent(text) <= own && !/^\s*[)\]}]/.test(text)) break;
    last = next;
  }
  return { first: line, last };
}
