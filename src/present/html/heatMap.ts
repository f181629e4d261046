/** Step × layer as coloured cells in inline SVG, on a logarithmic scale. */
import type { Num } from "../../protocol/report.ts";
import { formatNumber, toNumber } from "../number.ts";
import { thinned } from "../plot.ts";
import { escapeHtml } from "./escape.ts";

export interface HeatMap {
  readonly title: string;
  readonly definition: string;
  /** One row each, the first at the top. */
  readonly rows: readonly string[];
  readonly columns: readonly { readonly label: string; readonly values: readonly Num[] }[];
}

const frame = { width: 560, left: 120, rowHeight: 16, mostColumns: 110 } as const;

export function heatMap({ title, definition, rows, columns }: HeatMap, id: string): string {
  const shown = thinned(columns, frame.mostColumns);
  const logs = shown
    .flatMap(({ values }) => values.map(toNumber))
    .filter((value) => value > 0 && Number.isFinite(value))
    .map(Math.log);
  const least = logs.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const width = (frame.width - frame.left) / Math.max(shown.length, 1);
  const height = rows.length * frame.rowHeight;
  const cell = (value: number): string => {
    if (!Number.isFinite(value)) return `fill="#c00"`;
    const share = value > 0 ? (Math.log(value) - least) / Math.max(most - least, 1e-9) : 0;
    return `fill="currentColor" fill-opacity="${(0.06 + 0.9 * share).toFixed(2)}"`;
  };
  const cells = shown.flatMap(({ label, values }, column) =>
    rows.map((row, at) => {
      const value = toNumber(values[at] ?? "NaN");
      const x = (frame.left + column * width).toFixed(1);
      return (
        `<rect x="${x}" y="${at * frame.rowHeight}" width="${width.toFixed(2)}" ` +
        `height="${frame.rowHeight - 1}" ${cell(value)}><title>` +
        `${escapeHtml(`${row}, step ${label}: ${formatNumber(value)}`)}</title></rect>`
      );
    }),
  );
  return [
    `<figure><figcaption><strong>${escapeHtml(title)}</strong>`,
    `<span class="definition">${escapeHtml(definition)}; from ${formatNumber(Math.exp(least))} `,
    `(pale) to ${formatNumber(Math.exp(most))} (dark), logarithmic</span></figcaption>`,
    `<svg viewBox="0 0 ${frame.width} ${height + 20}" role="img" aria-labelledby="${id}-title">`,
    `<title id="${id}-title">${escapeHtml(title)}</title>`,
    ...rows.map(
      (row, at) =>
        `<text class="tick" x="${frame.left - 6}" y="${at * frame.rowHeight + 12}" ` +
        `text-anchor="end">${escapeHtml(row)}</text>`,
    ),
    ...cells,
    `<text class="tick" x="${frame.left}" y="${height + 14}">step ${shown[0]?.label ?? ""}</text>`,
    `<text class="tick" x="${frame.width}" y="${height + 14}" text-anchor="end">`,
    `${shown.at(-1)?.label ?? ""}</text>`,
    `</svg></figure>`,
  ].join("");
}
