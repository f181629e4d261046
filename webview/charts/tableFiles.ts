/** A table as a file: CSV with the full numbers, JSON with one object a row. */
import type { Cell, Column, Table } from "../../src/present/table.ts";

export function tableCsv({ columns, rows }: Table): string {
  const head = columns.map((column, i) => csvField(columnName(column, i)));
  const body = rows.map((row) => row.map((cell) => csvField(String(cellValue(cell)))));
  return [head, ...body].map((fields) => `${fields.join(",")}\r\n`).join("");
}

export function tableJson({ title, columns, rows }: Table): string {
  const objects = rows.map((row) =>
    Object.fromEntries(
      row.map((cell, i) => [
        columnName(columns[i], i),
        cell.value === null ? null : cellValue(cell),
      ]),
    ),
  );
  return `${JSON.stringify({ title, rows: objects }, null, 2)}\n`;
}

/** An empty field for a number that does not exist. */
const cellValue = ({ text, value }: Cell): string | number => {
  if (value === null) return "";
  return value ?? text;
};

/** "forward RMS Pre-LN"; the first column of a table may have no heading. */
function columnName(column: Column | undefined, i: number): string {
  const parts = [column?.group ?? "", column?.label ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? (i === 0 ? "name" : `column ${i + 1}`) : parts.join(" ");
}

/** A spreadsheet would run a text that begins like a formula: it gets an apostrophe. */
function csvField(text: string): string {
  const isNumber = text !== "" && !Number.isNaN(Number(text));
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
