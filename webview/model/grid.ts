/** Numbers over depth for several sites at once: what a heat map draws and its table says. */

import {
  leftColumn,
  numberCell,
  rightColumn,
  type Table,
  textCell,
} from "../../src/present/table.ts";
import type { Num } from "../../src/protocol/report.ts";

export interface Grid {
  readonly title: string;
  /** What one cell is, in one sentence. */
  readonly definition: string;
  /** What a column is called: "block", "layer". */
  readonly across: string;
  readonly columns: readonly string[];
  readonly rows: readonly GridRow[];
}

export interface GridRow {
  readonly label: string;
  /** Where a click leads. */
  readonly place: SourcePlace | null;
  /** One a column. */
  readonly values: readonly (Num | null)[];
}

export interface SourcePlace {
  readonly file: string;
  /** One-based. */
  readonly line: number;
}

export const gridTable = ({ title, across, columns, rows }: Grid): Table => ({
  title,
  columns: [leftColumn(""), ...columns.map((label) => rightColumn(label, across))],
  rows: rows.map(({ label, values }) => [
    textCell(label),
    ...columns.map((_, i) => numberCell(values[i] ?? null)),
  ]),
});
