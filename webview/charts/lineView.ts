/** A chart over depth with a cursor for mouse and keyboard. Not drawn where nothing is positive. */
import uPlot from "uplot";
import { formatNumber } from "../../src/present/number.ts";
import { chartSummary, chartTable, type LineChart } from "../model/lineChart.ts";
import type { Page } from "../page.ts";
import { element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { type ChartColours, chartColours, dashes } from "../ui/theme.ts";
import { type AxisScale, axisScale, placed } from "./axisScale.ts";
import { type Figure, figure } from "./figure.ts";
import { linePicture } from "./linePicture.ts";

export interface LineViewOptions {
  /** Chooses what is drawn, in the title's place. */
  readonly chooser?: HTMLElement;
  /** Enter or a click on a position. */
  readonly onPick: (line: number, position: number) => void;
}

const height = 200;

export function lineView(page: Page, chart: LineChart, options: LineViewOptions): HTMLElement {
  const frame = figure(page, {
    title: chart.title,
    definition: chart.isLinear ? chart.definition : `${chart.definition}; ${t("logarithmic axis")}`,
    summary: [chartSummary(chart), brokenText(chart)].filter((it) => it !== "").join(". "),
    table: chartTable(chart),
    svg: () => linePicture(chart, chartColours()),
    ...(options.chooser === undefined ? {} : { chooser: options.chooser }),
  });
  const scale = axisScale(chart);
  if (scale === null) {
    frame.body.append(element("p", { class: "empty" }, t("No number to draw.")));
    return frame.element;
  }
  const colours = chartColours();
  if (chart.lines.length > 1) frame.body.before(legend(chart, colours));
  plot(frame, chart, scale, colours, options);
  return frame.element;
}

/** "2 numbers are not finite", said beside the chart that cannot show them. */
function brokenText({ lines }: LineChart): string {
  const count = lines
    .flatMap(({ values }) => values)
    .filter((num) => typeof num === "string").length;
  return count === 0 ? "" : t("Not finite: {0}", count);
}

function legend({ lines }: LineChart, colours: ChartColours): HTMLElement {
  const entries = lines.map(({ name }, which) => {
    const sample = element("canvas", { width: "56", height: "16", "aria-hidden": "true" });
    const context = sample.getContext("2d");
    if (context !== null) {
      context.strokeStyle = lineColour(colours, which);
      context.lineWidth = 4;
      context.setLineDash(dashOf(which).map((units) => units * 2));
      context.beginPath();
      context.moveTo(0, 8);
      context.lineTo(56, 8);
      context.stroke();
    }
    return element("span", { class: "legend-entry" }, sample, name);
  });
  return element("div", { class: "legend" }, ...entries);
}

function plot(
  frame: Figure,
  chart: LineChart,
  scale: AxisScale,
  colours: ChartColours,
  { onPick }: LineViewOptions,
): void {
  const { labels, lines } = chart;
  const last = labels.length - 1;
  const read = (line: number, position: number) => frame.read(positionText(chart, line, position));
  let chosenLine = -1;
  const made = new uPlot(
    {
      width: 300,
      height,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
      scales: {
        x: { time: false, range: [-0.3, last + 0.3] },
        y: {
          ...(chart.isLinear ? { distr: 1 } : { distr: 3, log: 10 }),
          range: [scale.from, scale.to],
        },
      },
      axes: [
        {
          ...axis(colours),
          size: 34,
          gap: 9,
          splits: () => everyNth(labels.length),
          values: (_, positions) => positions.map((position) => labels[position] ?? ""),
          grid: { show: false },
        },
        {
          ...axis(colours),
          size: 52,
          splits: () => [...scale.ticks],
          values: (_, ticks) =>
            ticks.map((tick) => formatNumber(tick, { digits: chart.isLinear ? 2 : 1 })),
          filter: (_, ticks) => ticks,
        },
      ],
      series: [
        {},
        ...lines.map(({ name }, which) => ({
          label: name,
          stroke: lineColour(colours, which),
          width: 2,
          dash: [...dashOf(which)],
          points: { show: labels.length <= 32, size: 6, fill: lineColour(colours, which) },
        })),
      ],
      hooks: {
        setCursor: [
          ({ cursor }) => {
            if (typeof cursor.idx === "number") read(chosenLine, cursor.idx);
            else frame.read(null);
          },
        ],
      },
    },
    [
      labels.map((_, i) => i),
      ...lines.map(({ values }) => values.map((num) => placed(num, chart))),
    ],
    frame.body,
  );
  frame.body.classList.add("plot");
  frame.body.tabIndex = 0;
  frame.body.setAttribute("role", "application");
  frame.body.setAttribute("aria-roledescription", t("chart"));
  frame.body.setAttribute("aria-label", t("{0}. Arrow keys move along it.", chart.title));
  made.over.addEventListener("click", () => {
    if (typeof made.cursor.idx === "number") onPick(Math.max(chosenLine, 0), made.cursor.idx);
  });
  frame.body.addEventListener("keydown", (event) => {
    const at = made.cursor.idx ?? -1;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowRight: () => moveTo(Math.min(at + 1, last)),
      ArrowLeft: () => moveTo(Math.max(at - 1, 0)),
      Home: () => moveTo(0),
      End: () => moveTo(last),
      ArrowDown: () => choose(Math.min(chosenLine + 1, lines.length - 1), at),
      ArrowUp: () => choose(Math.max(chosenLine - 1, 0), at),
      Enter: () => onPick(Math.max(chosenLine, 0), Math.max(at, 0)),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  });

  function moveTo(position: number): void {
    const values = lines[Math.max(chosenLine, 0)]?.values ?? [];
    const value = placed(values[position] ?? null, chart);
    made.setCursor({
      left: made.valToPos(position, "x"),
      top: value === null ? 0 : made.valToPos(value, "y"),
    });
  }

  function choose(line: number, position: number): void {
    chosenLine = line;
    read(line, Math.max(position, 0));
  }

  const observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width > 0 && width !== made.width) made.setSize({ width, height });
  });
  observer.observe(frame.body);
}

/** "block 3: Pre-LN 1.55, Post-LN 1.00"; of one line where it was chosen. */
function positionText(
  { across, labels, lines }: LineChart,
  line: number,
  position: number,
): string {
  const named = lines.map(({ name, values }) => {
    const num = values[position] ?? null;
    return `${name} ${num === null ? "–" : formatNumber(num)}`;
  });
  const chosen = named[line];
  return `${across} ${labels[position] ?? position}: ${chosen ?? named.join(", ")}`;
}

const axis = ({ soft, rule, font }: ChartColours) => ({
  stroke: soft,
  font: `11px ${font}`,
  ticks: { show: false },
  grid: { stroke: rule, width: 1 },
  gap: 4,
});

/** About ten positions fit. */
const everyNth = (count: number): number[] => {
  const step = Math.ceil(count / 10);
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
};

const lineColour = ({ lines, ink }: ChartColours, which: number): string =>
  lines[which % lines.length] ?? ink;

const dashOf = (which: number): readonly number[] => dashes[which % dashes.length] ?? [];
