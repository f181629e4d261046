/** A table as a native one: caption, scoped headers, a heading over each group of columns. */
import type { Cell, Column, Table } from "../../src/present/table.ts";
import { element } from "./dom.ts";

export interface TableOptions {
  readonly isCaptionSeen?: boolean;
  /** What the first cell of a row is made of, where it is more than its text. */
  readonly head?: (row: number) => Node | null;
}

export function nativeTable(
  { title, columns, rows }: Table,
  { isCaptionSeen = false, head = () => null }: TableOptions = {},
): HTMLElement {
  const caption = element("caption", isCaptionSeen ? {} : { class: "unseen" }, title);
  const body = rows.map((row, i) => {
    const cells = row.map((cell, column) => bodyCell(cell, columns[column], column, head(i)));
    return element("tr", {}, ...cells);
  });
  const table = element("table", {}, caption, ...header(columns), element("tbody", {}, ...body));
  // A region that scrolls must be reachable by keyboard, and then it needs a name.
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
    table,
  );
}

function header(columns: readonly Column[]): HTMLElement[] {
  if (columns.every(({ label }) => label === "")) return [];
  const labels = columns.map(({ label, align }) =>
    label === "" ? element("td") : element("th", { scope: "col", class: align }, label),
  );
  return [element("thead", {}, ...groupRow(columns), element("tr", {}, ...labels))];
}

function groupRow(columns: readonly Column[]): HTMLElement[] {
  if (columns.every(({ group }) => group === undefined)) return [];
  const groups: { label: string; span: number }[] = [];
  for (const { group = "" } of columns) {
    const last = groups.at(-1);
    if (last?.label === group) last.span++;
    else groups.push({ label: group, span: 1 });
  }
  const cells = groups.map(({ label, span }) =>
    label === ""
      ? element("td", { colspan: String(span) })
      : element("th", { scope: "colgroup", colspan: String(span) }, label),
  );
  return [element("tr", {}, ...cells)];
}

function bodyCell(
  cell: Cell,
  column: Column | undefined,
  i: number,
  head: Node | null,
): HTMLElement {
  const align = column?.align ?? "left";
  const className = cell.tone === undefined ? align : `${align} ${cell.tone}`;
  if (i > 0) return element("td", { class: className }, cell.text);
  return element("th", { scope: "row", class: className }, head ?? cell.text);
}
