/** A histogram by sign and binary exponent: bars, a cursor for mouse and keyboard, the counts. */
import { formatCount } from "../../src/present/number.ts";
import type { Histogram } from "../../src/protocol/report.ts";
import { type Bar, barTable, histogramBars, powerText } from "../model/histogramBars.ts";
import type { Page } from "../page.ts";
import { element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { chartColours } from "../ui/theme.ts";
import { figure } from "./figure.ts";
import { histogramPicture, isLabelled } from "./histogramPicture.ts";

const height = 180;
const footHeight = 18;
/** The first and last labels are wider than their bars. */
const margin = 16;

export function histogramView(page: Page, title: string, histogram: Histogram): HTMLElement {
  const bars = histogramBars(histogram);
  const heading = t("Histogram of {0}", title);
  const frame = figure(page, {
    title: heading,
    definition: t("elements by sign and magnitude; one bar for each power of two"),
    summary: summaryOf(bars),
    table: barTable(heading, bars),
    svg: () => histogramPicture(heading, bars, chartColours()),
  });
  const canvas = element("canvas", { class: "bars", "aria-hidden": "true" });
  frame.body.tabIndex = 0;
  frame.body.setAttribute("role", "application");
  frame.body.setAttribute("aria-roledescription", t("histogram"));
  frame.body.setAttribute("aria-label", t("{0}. Arrow keys move along it.", heading));
  frame.body.append(canvas);
  let cursor: number | null = null;
  const moveTo = (next: number | null) => {
    cursor = next;
    const bar = next === null ? undefined : bars[next];
    frame.read(bar === undefined ? null : barText(bar));
    drawBars(canvas, bars, cursor);
  };
  canvas.addEventListener("pointermove", ({ clientX }) => {
    const { left, width } = canvas.getBoundingClientRect();
    const share = (clientX - left - margin) / (width - 2 * margin);
    moveTo(Math.min(Math.max(Math.floor(share * bars.length), 0), bars.length - 1));
  });
  canvas.addEventListener("pointerleave", () => moveTo(null));
  frame.body.addEventListener("keydown", (event) => {
    const last = bars.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: Math.min((cursor ?? -1) + 1, last),
      ArrowLeft: Math.max((cursor ?? 1) - 1, 0),
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    moveTo(next);
  });
  new ResizeObserver(() => drawBars(canvas, bars, cursor)).observe(canvas);
  return frame.element;
}

const barText = ({ label, count }: Bar): string =>
  t("{0}: {1} elements", label, formatCount(count));

function summaryOf(bars: readonly Bar[]): string {
  const most = bars.reduce<Bar | null>(
    (best, bar) => (bar.count > (best?.count ?? -1) ? bar : best),
    null,
  );
  return most === null ? "" : t("Most elements: {0}", barText(most));
}

function drawBars(canvas: HTMLCanvasElement, bars: readonly Bar[], cursor: number | null): void {
  const context = canvas.getContext("2d");
  const width = canvas.clientWidth;
  if (context === null || width === 0) return;
  const pixels = window.devicePixelRatio;
  canvas.width = Math.round(width * pixels);
  canvas.height = Math.round(height * pixels);
  context.scale(pixels, pixels);
  const colours = chartColours();
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  const step = (width - 2 * margin) / bars.length;
  const bottom = height - footHeight;
  context.font = `11px ${colours.font}`;
  context.textAlign = "center";
  bars.forEach(({ count, sign, exponent }, i) => {
    const size = count === 0 ? 0 : Math.max(1, (count / largest) * (bottom - 6));
    context.fillStyle = colours.lines[sign < 0 ? 1 : 0] ?? colours.ink;
    if (sign === 0) context.fillStyle = colours.soft;
    const x = margin + i * step;
    context.fillRect(x + 0.5, bottom - size, Math.max(1, step - 1), size);
    if (i === cursor) {
      context.strokeStyle = colours.focus;
      context.lineWidth = 2;
      context.strokeRect(x + 1, 1, step - 2, bottom - 1);
    }
    if (!isLabelled(bars, i, step)) return;
    context.fillStyle = colours.soft;
    context.fillText(powerText(sign, exponent), x + step / 2, height - 4);
  });
  context.strokeStyle = colours.rule;
  context.lineWidth = 1;
  context.strokeRect(0, bottom + 0.5, width, 0);
}
