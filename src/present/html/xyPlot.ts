/** A plot as inline SVG, with its numbers as a table below it. */
import { formatNumber } from "../number.ts";
import { drawable, type Plot, type PlotLine, type Scale, scaleOf, thinned } from "../plot.ts";
import { numberCell, rightColumn, textCell } from "../table.ts";
import { escapeHtml } from "./escape.ts";
import { htmlTable } from "./htmlTable.ts";

const frame = { width: 560, height: 270, left: 62, right: 548, top: 14, bottom: 222 } as const;
/** Where points lie closer, a mark on each would hide the line. */
const mostMarks = 24;
const mostPoints = 600;
const mostRows = 50;

export function xyPlot(plot: Plot, id: string): string {
  const lines = plot.lines.map((line) => ({
    ...line,
    points: thinned(drawable(plot, line), mostPoints),
  }));
  const points = lines.flatMap((line) => line.points);
  const x = scaleOf(
    points.map(([at]) => at),
    plot.x,
  );
  const y = scaleOf(
    points.map(([, at]) => at),
    plot.y,
  );
  const drawing =
    x === null || y === null
      ? `<p class="empty">Nothing that can be drawn.</p>`
      : svg({ ...plot, lines }, id, x, y);
  return [
    `<figure>`,
    `<figcaption><strong>${escapeHtml(plot.title)}</strong>${legend(lines)}`,
    `<span class="definition">${escapeHtml(plot.definition)}</span></figcaption>`,
    drawing,
    `<details><summary>Numbers</summary>${lines.map((line) => numbers(plot, line)).join("\n")}</details>`,
    `</figure>`,
  ].join("\n");
}

function svg(plot: Plot, id: string, x: Scale, y: Scale): string {
  const px = (at: number) => frame.left + x.position(at) * (frame.right - frame.left);
  const py = (at: number) => frame.bottom - y.position(at) * (frame.bottom - frame.top);
  return [
    `<svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-labelledby="${id}-title">`,
    `<title id="${id}-title">${escapeHtml(plot.title)}</title>`,
    ...y.ticks.map(
      (tick) =>
        `<line class="grid" x1="${frame.left}" x2="${frame.right}" y1="${short(py(tick))}" y2="${short(py(tick))}"/>` +
        `<text class="tick" x="${frame.left - 8}" y="${short(py(tick) + 4)}" text-anchor="end">${tickText(tick)}</text>`,
    ),
    ...x.ticks.map(
      (tick) =>
        `<text class="tick" x="${short(px(tick))}" y="${frame.bottom + 18}" text-anchor="middle">${tickText(tick)}</text>`,
    ),
    `<text class="tick" x="${(frame.left + frame.right) / 2}" y="${frame.height - 8}" text-anchor="middle">`,
    `${escapeHtml(plot.x.label)}</text>`,
    ...plot.lines.map((line, which) => drawn(line, which, px, py)),
    `</svg>`,
  ].join("");
}

const tickText = (tick: number): string => {
  const plain = String(tick);
  return plain.length <= 6 ? plain : formatNumber(tick, { digits: 2 });
};

function drawn(
  { name, points, isReference = false }: PlotLine,
  which: number,
  px: (at: number) => number,
  py: (at: number) => number,
): string {
  const path = points
    .map(([a, b], at) => `${at === 0 ? "M" : "L"}${short(px(a))} ${short(py(b))}`)
    .join("");
  const dashes = isReference ? ` stroke-dasharray="4 4"` : "";
  const marks = isReference || points.length > mostMarks ? [] : points;
  return [
    `<g class="line-${which % 4}"><path class="line" d="${path}"${dashes}>`,
    `<title>${escapeHtml(name)}</title></path>`,
    ...marks.map(
      ([a, b]) =>
        `<circle class="mark" cx="${short(px(a))}" cy="${short(py(b))}" r="3.5"><title>` +
        `${escapeHtml(`${name}: ${formatNumber(a)}, ${formatNumber(b)}`)}</title></circle>`,
    ),
    `</g>`,
  ].join("");
}

const legend = (lines: readonly PlotLine[]): string =>
  lines
    .map(
      ({ name, isReference = false }, which) =>
        `<span class="legend"><svg viewBox="0 0 28 12" aria-hidden="true">` +
        `<g class="line-${which % 4}"><path class="line" d="M0 6L28 6"` +
        `${isReference ? ` stroke-dasharray="4 4"` : ""}/></g></svg>${escapeHtml(name)}</span>`,
    )
    .join("");

const numbers = ({ x, y }: Plot, { name, points }: PlotLine): string =>
  htmlTable({
    title: name,
    columns: [rightColumn(x.label), rightColumn(y.label)],
    rows: thinned(points, mostRows).map(([a, b]) => [textCell(String(a)), numberCell(b)]),
  });

const short = (units: number): string => String(Math.round(units * 10) / 10);
