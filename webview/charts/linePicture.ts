/** A chart over depth as an SVG file. */
import { formatNumber } from "../../src/present/number.ts";
import type { LineChart } from "../model/lineChart.ts";
import { type ChartColours, dashes } from "../ui/theme.ts";
import { axisScale, placed } from "./axisScale.ts";
import { label, svgFile, tag } from "./svg.ts";

const frame = { width: 720, height: 400, left: 70, right: 700, top: 56, bottom: 350 } as const;

export function linePicture(chart: LineChart, colours: ChartColours): string {
  const { title, across, labels, lines } = chart;
  const scale = axisScale(chart);
  const step = (frame.right - frame.left - 24) / Math.max(labels.length - 1, 1);
  const x = (i: number): number => frame.left + 12 + i * step;
  const y = (value: number): number =>
    frame.bottom - (scale?.position(value) ?? 0) * (frame.bottom - frame.top);
  const grid = (scale?.ticks ?? []).flatMap((tick) => [
    tag("line", {
      x1: frame.left,
      x2: frame.right,
      y1: y(tick),
      y2: y(tick),
      stroke: colours.rule,
    }),
    label(formatNumber(tick, { digits: chart.isLinear ? 2 : 1 }), {
      x: frame.left - 8,
      y: y(tick) + 4,
      "text-anchor": "end",
      fill: colours.soft,
    }),
  ]);
  const every = Math.ceil(labels.length / 16);
  const below = labels.map((text, i) =>
    i % every === 0
      ? label(text, { x: x(i), y: frame.bottom + 18, "text-anchor": "middle", fill: colours.soft })
      : "",
  );
  const drawn = lines.map(({ values }, which) =>
    tag("path", {
      d: pathOf(
        values.map((num) => placed(num, chart)),
        x,
        y,
      ),
      fill: "none",
      stroke: colours.lines[which % colours.lines.length] ?? colours.ink,
      "stroke-width": 2,
      "stroke-dasharray": (dashes[which % dashes.length] ?? []).join(" "),
    }),
  );
  return svgFile(
    { ...frame, font: colours.font, paper: colours.paper },
    label(title, { x: frame.left, y: 20, "font-size": 15, fill: colours.ink }),
    ...legend(chart, colours),
    ...grid,
    ...below,
    label(across, {
      x: (frame.left + frame.right) / 2,
      y: frame.height - 8,
      "text-anchor": "middle",
      fill: colours.soft,
    }),
    ...drawn,
  );
}

/** A line with gaps where there is nothing to draw. */
function pathOf(
  values: readonly (number | null)[],
  x: (i: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  let isDown = false;
  values.forEach((num, i) => {
    const isDrawn = num !== null;
    if (isDrawn) path += `${isDown ? "L" : "M"}${x(i).toFixed(1)} ${y(num).toFixed(1)}`;
    isDown = isDrawn;
  });
  return path;
}

function legend({ lines }: LineChart, colours: ChartColours): string[] {
  const width = (frame.right - frame.left) / Math.max(lines.length, 1);
  return lines.flatMap(({ name }, which) => {
    const x = frame.left + which * Math.min(width, 200);
    return [
      tag("line", {
        x1: x,
        x2: x + 26,
        y1: 38,
        y2: 38,
        stroke: colours.lines[which % colours.lines.length] ?? colours.ink,
        "stroke-width": 2,
        "stroke-dasharray": (dashes[which % dashes.length] ?? []).join(" "),
      }),
      label(name, { x: x + 32, y: 42, fill: colours.ink }),
    ];
  });
}
