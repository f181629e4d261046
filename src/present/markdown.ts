/** Tables as Markdown, whatever the texts in them hold. */
import type { Cell, Column, Table } from "./table.ts";

/** Columns of a group carry its name; a table of more than `limit` rows shows them evenly. */
export function markdownTable({ columns, rows }: Table, limit: number): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(heading)),
    line(columns.map(({ align }) => (align === "right" ? "---:" : ":---"))),
    ...evenly(rows, limit).map((row) =>
      line(row === null ? columns.map(() => "…") : row.map(cellText)),
    ),
  ].join("\n");
}

const heading = ({ label, group }: Column): string =>
  escapeMarkdown(group === undefined ? label : `${group} ${label}`);

const cellText = ({ text }: Cell): string => escapeMarkdown(text);

/** The first rows and the last, with null where others were left out. */
function evenly<Row>(rows: readonly Row[], limit: number): (Row | null)[] {
  if (rows.length <= limit) return [...rows];
  const head = Math.ceil((limit - 1) / 2);
  const tail = limit - 1 - head;
  return [...rows.slice(0, head), null, ...rows.slice(rows.length - tail)];
}

/** Nothing of the text is read as Markdown or HTML. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[\\`*_{}[\]()#+\-.!|~$]/g, String.raw`\$&`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/\r?\n/g, " ");
