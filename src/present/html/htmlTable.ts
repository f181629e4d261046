/** A table as HTML, with a caption, scoped headers, and a heading over each group of columns. */
import type { Cell, Column, Table } from "../table.ts";
import { escapeHtml } from "./escape.ts";

export function htmlTable({ title, columns, rows }: Table, className = ""): string {
  return [
    `<div class="scroll"><table${className === "" ? "" : ` class="${className}"`}>`,
    `<caption>${escapeHtml(title)}</caption>`,
    head(columns),
    `<tbody>${rows.map((row) => bodyRow(row, columns)).join("\n")}</tbody>`,
    `</table></div>`,
  ].join("\n");
}

function head(columns: readonly Column[]): string {
  if (columns.every(({ label }) => label === "")) return "";
  return `<thead>${groupRow(columns)}<tr>${columns.map(header).join("")}</tr></thead>`;
}

/** Neighbouring columns of one group, with the group's heading; "" has none. */
function columnGroups(columns: readonly Column[]): { label: string; span: number }[] {
  const groups: { label: string; span: number }[] = [];
  for (const { group = "" } of columns) {
    const last = groups.at(-1);
    if (last !== undefined && last.label === group) last.span++;
    else groups.push({ label: group, span: 1 });
  }
  return groups;
}

function groupRow(columns: readonly Column[]): string {
  if (columns.every(({ group }) => group === undefined)) return "";
  const cells = columnGroups(columns).map(({ label, span }) =>
    label === ""
      ? `<td colspan="${span}"></td>`
      : `<th scope="colgroup" colspan="${span}">${escapeHtml(label)}</th>`,
  );
  return `<tr>${cells.join("")}</tr>`;
}

const header = ({ label, align }: Column): string =>
  `<th scope="col" class="${align}">${escapeHtml(label)}</th>`;

const bodyRow = (row: readonly Cell[], columns: readonly Column[]): string =>
  `<tr>${row.map((cell, i) => bodyCell(cell, columns[i]?.align ?? "left", i)).join("")}</tr>`;

function bodyCell({ text, tone }: Cell, align: Column["align"], i: number): string {
  const className = tone === undefined ? align : `${align} ${tone}`;
  const content = escapeHtml(text);
  return i === 0
    ? `<th scope="row" class="${className}">${content}</th>`
    : `<td class="${className}">${content}</td>`;
}
