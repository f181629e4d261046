/** A chart over depth as inline SVG, with its numbers as a table below it. */
import type { Num } from "../../protocol/report.ts";
import { formatNumber, toNumber } from "../number.ts";
import { leftColumn, numberCell, rightColumn, type Table, textCell } from "../table.ts";
import { escapeHtml } from "./escape.ts";
import { htmlTable } from "./htmlTable.ts";
import { type LogScale, logScale } from "./logScale.ts";

export interface Chart {
  /** Unique within the page, for the accessible names. */
  readonly id: string;
  readonly title: string;
  /** What is drawn, in one sentence. */
  readonly definition: string;
  /** Positions on the horizontal axis. */
  readonly labels: readonly string[];
  readonly lines: readonly ChartLine[];
}

export interface ChartLine {
  readonly name: string;
  readonly values: readonly (Num | null)[];
}

/** The drawing in user units; it scales with the page. */
const frame = { width: 560, height: 260, left: 62, right: 548, top: 14, bottom: 222 } as const;

export function chart(it: Chart): string {
  const numbers = it.lines.flatMap(({ values }) =>
    values.filter((num) => num !== null).map(toNumber),
  );
  const scale = logScale(numbers);
  const drawing =
    scale === null
      ? `<p class="empty">No positive number to draw on a logarithmic axis.</p>`
      : svg(it, scale);
  return [
    `<figure>`,
    `<figcaption><strong>${escapeHtml(it.title)}</strong>${legend(it.lines)}`,
    `<span class="definition">${escapeHtml(it.definition)}; logarithmic axis</span></figcaption>`,
    drawing,
    `<details><summary>Numbers</summary>${htmlTable(twin(it))}</details>`,
    `</figure>`,
  ].join("\n");
}

function svg({ id, title, labels, lines, definition }: Chart, scale: LogScale): string {
  const x = (i: number) =>
    labels.length < 2
      ? (frame.left + frame.right) / 2
      : frame.left + 12 + (i * (frame.right - frame.left - 24)) / (labels.length - 1);
  const y = (value: number) => frame.bottom - scale.position(value) * (frame.bottom - frame.top);
  return [
    `<svg viewBox="0 0 ${frame.width} ${frame.height}" role="img"`,
    ` aria-labelledby="${id}-title ${id}-text">`,
    `<title id="${id}-title">${escapeHtml(title)}</title>`,
    `<desc id="${id}-text">${escapeHtml(`${definition}. ${describe(lines)}`)}</desc>`,
    ...scale.ticks.map((tick) => horizontal(tick, y(tick))),
    ...labels.map((label, i) => (isLabelled(i, labels.length) ? below(label, x(i)) : "")),
    `<text class="tick" x="${(frame.left + frame.right) / 2}" y="${frame.height - 4}"`,
    ` text-anchor="middle">block</text>`,
    ...lines.map((line, which) => polyline(line, which, labels, x, y)),
    `</svg>`,
  ].join("");
}

const horizontal = (tick: number, y: number): string =>
  `<line class="grid" x1="${frame.left}" x2="${frame.right}" y1="${px(y)}" y2="${px(y)}"/>` +
  `<text class="tick" x="${frame.left - 8}" y="${px(y + 4)}" text-anchor="end">` +
  `${formatNumber(tick, { digits: 1 })}</text>`;

const below = (label: string, x: number): string =>
  `<text class="tick" x="${px(x)}" y="${frame.bottom + 18}" text-anchor="middle">` +
  `${escapeHtml(label)}</text>`;

/** About a dozen labels fit. */
const isLabelled = (i: number, count: number): boolean => i % Math.ceil(count / 13) === 0;

/** A line with gaps where a number is missing, and a mark with its number at every point. */
function polyline(
  { name, values }: ChartLine,
  which: number,
  labels: readonly string[],
  x: (i: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  let marks = "";
  let isDown = false;
  values.forEach((num, i) => {
    const value = num === null ? Number.NaN : toNumber(num);
    const isDrawn = value > 0 && Number.isFinite(value);
    if (isDrawn) {
      path += `${isDown ? "L" : "M"}${px(x(i))} ${px(y(value))}`;
      const text = escapeHtml(`${name}, block ${labels[i] ?? i}: ${formatNumber(value)}`);
      marks += `<g><title>${text}</title>${mark(which, x(i), y(value))}</g>`;
    }
    isDown = isDrawn;
  });
  return `<g class="line-${which % 4}"><path class="line" d="${path}"/>${marks}</g>`;
}

/** Lines differ in shape too, not in colour alone. */
function mark(which: number, x: number, y: number): string {
  if (which % 2 === 0) return `<circle class="mark" cx="${px(x)}" cy="${px(y)}" r="3.5"/>`;
  return `<path class="mark" d="M${px(x)} ${px(y - 4.5)}l4.5 4.5l-4.5 4.5l-4.5-4.5z"/>`;
}

const legend = (lines: readonly ChartLine[]): string =>
  lines
    .map(
      ({ name }, which) =>
        `<span class="legend"><svg viewBox="0 0 28 12" aria-hidden="true">` +
        `<g class="line-${which % 4}"><path class="line" d="M0 6L28 6"/>${mark(which, 14, 6)}</g>` +
        `</svg>${escapeHtml(name)}</span>`,
    )
    .join("");

const describe = (lines: readonly ChartLine[]): string =>
  lines
    .map(({ name, values }) => {
      const known = values.filter((num) => num !== null);
      const [first, last] = [known.at(0) ?? "NaN", known.at(-1) ?? "NaN"];
      return `${name}: from ${formatNumber(first)} to ${formatNumber(last)}`;
    })
    .join("; ");

const twin = ({ title, labels, lines }: Chart): Table => ({
  title,
  columns: [leftColumn("block"), ...lines.map(({ name }) => rightColumn(name))],
  rows: labels.map((label, i) => [
    textCell(label),
    ...lines.map(({ values }) => numberCell(values[i] ?? null)),
  ]),
});

const px = (units: number): string => String(Math.round(units * 10) / 10);
