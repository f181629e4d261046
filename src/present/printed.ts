/** What a model's file printed, a line of text each. */
import type { Printed } from "../errors.ts";

export interface PrintedLine {
  /** "model.py:12" of the first line of a print; "" where it is that of the one before. */
  readonly place: string;
  readonly text: string;
}

export interface PrintedText {
  readonly lines: readonly PrintedLine[];
  /** Lines after the first `limit`. */
  readonly left: number;
}

export function printedText(printed: readonly Printed[], limit: number): PrintedText {
  const lines: PrintedLine[] = [];
  let last = "";
  for (const { file, line, text } of printed) {
    const place = file === null ? "" : `${file}:${line}`;
    for (const [i, one] of text.replace(/\n$/, "").split("\n").entries())
      lines.push({ place: i === 0 && place !== last ? place : "", text: one });
    last = place;
  }
  return { lines: lines.slice(0, limit), left: Math.max(0, lines.length - limit) };
}

/** What each line of a file printed, all of it. */
export function printedByLine(printed: readonly Printed[], file: string): Map<number, string> {
  const texts = new Map<number, string>();
  for (const row of printed) {
    if (row.file !== file || row.line === null) continue;
    texts.set(row.line, (texts.get(row.line) ?? "") + row.text);
  }
  return texts;
}
