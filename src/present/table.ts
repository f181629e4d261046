/** A table as data, for whoever draws it: the terminal, the HTML page, a chart's twin. */
import type { Num } from "../protocol/report.ts";
import { formatNumber } from "./number.ts";

export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Column {
  readonly label: string;
  /** A heading over neighbouring columns of the same group. */
  readonly group?: string;
  readonly align: "left" | "right";
  /** Source code: one line a row, shortened where there is no room. Other text is wrapped. */
  readonly isCode?: boolean;
}

export interface Cell {
  readonly text: string;
  /** The number behind the text, where there is one. */
  readonly value?: Num | null;
  readonly tone?: Tone;
}

/** What a cell's colour says; the text says it too. */
export type Tone = "dim" | "error" | "warning";

export const textCell = (text: string, tone?: Tone): Cell =>
  tone === undefined ? { text } : { text, tone };

/** `–` for a number that does not exist; non-finite ones stand out. */
export function numberCell(num: Num | null): Cell {
  if (num === null) return { text: "–", value: null, tone: "dim" };
  const text = formatNumber(num);
  return typeof num === "number" ? { text, value: num } : { text, value: num, tone: "error" };
}

export const leftColumn = (label: string): Column => ({ label, align: "left" });

export const codeColumn = (label: string): Column => ({ label, align: "left", isCode: true });

export const rightColumn = (label: string, group?: string): Column =>
  group === undefined ? { label, align: "right" } : { label, group, align: "right" };
