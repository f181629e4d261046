/** A table as aligned text. */
import type { Cell, Column, Table, Tone } from "../present/table.ts";
import type { Output, Style } from "./output.ts";
import { displayWidth, pad, printable, truncate, wrap } from "./textWidth.ts";

const gap = 2;
const groupGap = 3;
/** A column of text becomes no narrower than this. */
const shortestText = 24;

const styleOfTone: Readonly<Record<Tone, Style>> = {
  dim: "dim",
  error: "error",
  warning: "warning",
};

/** Lines of a table that is as wide as the output allows; the title stands above it. */
export function textTable(table: Table, output: Output): string[] {
  const parts = splitByGroups(printableTable(table), output.columns);
  return parts.flatMap((part, i) => [...(i === 0 ? [] : [""]), ...lines(part, output)]);
}

function lines({ columns, rows }: Table, output: Output): string[] {
  const widths = shrink(columnWidths(columns, rows), columns, output.columns);
  const join = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => " ".repeat(gapBefore(columns, i)) + cell)
      .join("")
      .trimEnd();
  const header = columns.map(({ label, align }, i) => pad(label, widths[i] ?? 0, align));
  const body = rows
    .flatMap((row) => physicalRows(row, columns, widths))
    .map((row) =>
      join(row.map((cell, i) => paintedCell(cell, columns[i], widths[i] ?? 0, output))),
    );
  return [
    ...groupLines(columns, widths).map((line) => output.paint("strong", line)),
    ...(columns.every(({ label }) => label === "") ? [] : [output.paint("dim", join(header))]),
    ...body,
  ];
}

/** One row, or several where a text is longer than its column. */
function physicalRows(
  row: readonly Cell[],
  columns: readonly Column[],
  widths: readonly number[],
): Cell[][] {
  const texts = row.map(({ text }, i) => {
    const { align, isCode = false } = columns[i] ?? { align: "left" };
    return align === "left" && !isCode ? wrap(text, widths[i] ?? 0) : [text];
  });
  const height = Math.max(1, ...texts.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    row.map((cell, i) => ({ ...cell, text: texts[i]?.[at] ?? "" })),
  );
}

function paintedCell(
  { text, tone }: Cell,
  column: Column | undefined,
  width: number,
  output: Output,
): string {
  const padded = pad(truncate(text, width), width, column?.align ?? "left");
  return tone === undefined ? padded : output.paint(styleOfTone[tone], padded);
}

function printableTable({ title, columns, rows }: Table): Table {
  return {
    title,
    columns: columns.map((column) => ({ ...column, label: printable(column.label) })),
    rows: rows.map((row) => row.map((cell) => ({ ...cell, text: printable(cell.text) }))),
  };
}

const gapBefore = (columns: readonly Column[], i: number): number => {
  if (i === 0) return 0;
  const [left, right] = [columns[i - 1]?.group, columns[i]?.group];
  return left === right ? gap : groupGap;
};

/** Wide enough for every cell, and together for the heading of their group. */
function columnWidths(columns: readonly Column[], rows: readonly (readonly Cell[])[]): number[] {
  const widths = columns.map(({ label }, i) =>
    Math.max(displayWidth(label), ...rows.map((row) => displayWidth(row[i]?.text ?? ""))),
  );
  for (const { label, first, end } of groupsOf(columns)) {
    const missing = displayWidth(label) - spanWidth(widths, first, end);
    if (missing > 0) widths[first] = (widths[first] ?? 0) + missing;
  }
  return widths;
}

/** Takes what is too much from the columns of text, the widest first. */
function shrink(widths: readonly number[], columns: readonly Column[], room: number): number[] {
  const shrunk = [...widths];
  const texts = columns.flatMap(({ align }, i) => (align === "left" ? i : []));
  const total = columns.reduce((sum, _, i) => sum + gapBefore(columns, i) + (widths[i] ?? 0), 0);
  for (let excess = total - room; excess > 0; excess--) {
    const widest = texts.reduce(
      (a, b) => ((shrunk[b] ?? 0) > (shrunk[a] ?? 0) ? b : a),
      texts[0] ?? 0,
    );
    if ((shrunk[widest] ?? 0) <= shortestText) break;
    shrunk[widest] = (shrunk[widest] ?? 0) - 1;
  }
  return shrunk;
}

interface Group {
  readonly label: string;
  /** Columns [first, end). */
  readonly first: number;
  readonly end: number;
}

/** Neighbouring columns of the same group; a column without one stands alone. */
function groupsOf(columns: readonly Column[]): Group[] {
  const groups: Group[] = [];
  columns.forEach(({ group }, i) => {
    const last = groups.at(-1);
    if (group !== undefined && last?.label === group)
      groups[groups.length - 1] = { ...last, end: i + 1 };
    else groups.push({ label: group ?? "", first: i, end: i + 1 });
  });
  return groups;
}

const spanWidth = (widths: readonly number[], first: number, end: number): number =>
  widths.slice(first, end).reduce((sum, width) => sum + width, 0) + gap * (end - first - 1);

function groupLines(columns: readonly Column[], widths: readonly number[]): string[] {
  if (columns.every(({ group }) => group === undefined)) return [];
  const cells = groupsOf(columns).map(({ label, first, end }) => {
    const before = " ".repeat(gapBefore(columns, first));
    return before + pad(label, spanWidth(widths, first, end), "center");
  });
  return [cells.join("").trimEnd()];
}

/** A table with groups that is too wide becomes several; columns without a group are repeated. */
function splitByGroups(table: Table, room: number): Table[] {
  const { columns, rows, title } = table;
  const widths = columnWidths(columns, rows);
  const groups = groupsOf(columns).filter(({ label }) => label !== "");
  const shared = columns.flatMap(({ group }, i) => (group === undefined ? i : []));
  const sharedWidth = shared.reduce((sum, i) => sum + (widths[i] ?? 0), 0);
  const parts: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const { first, end } of groups) {
    const width = groupGap + spanWidth(widths, first, end);
    if (used + width > room) {
      parts.push([...shared]);
      used = sharedWidth;
    }
    parts.at(-1)?.push(...Array.from({ length: end - first }, (_, i) => first + i));
    used += width;
  }
  if (parts.length < 2) return [table];
  const pick = <Item>(items: readonly Item[], chosen: readonly number[]): Item[] =>
    chosen.flatMap((i) => items[i] ?? []);
  return parts.map((chosen) => ({
    title,
    columns: pick(columns, chosen),
    rows: rows.map((row) => pick(row, chosen)),
  }));
}
