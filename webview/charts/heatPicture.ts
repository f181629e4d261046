/** A heat map as an SVG file. */
import { formatNumber } from "../../src/present/number.ts";
import type { Grid } from "../model/grid.ts";
import type { ChartColours } from "../ui/theme.ts";
import { heatScale } from "./heatScale.ts";
import { paletteColour } from "./palette.ts";
import { label, svgFile, tag } from "./svg.ts";

const left = 190;
const top = 36;
const row = 18;

export function heatPicture({ title, across, columns, rows }: Grid, colours: ChartColours): string {
  const scale = heatScale(rows.flatMap(({ values }) => values));
  const column = Math.max(8, Math.min(40, 560 / Math.max(columns.length, 1)));
  const bottom = top + rows.length * row;
  const width = Math.max(left + columns.length * column + 16, 420);
  const cells = rows.flatMap(({ values }, y) =>
    columns.map((_, x) => {
      const share = scale?.share(values[x] ?? null) ?? null;
      const isBroken = typeof values[x] === "string";
      return tag("rect", {
        x: left + x * column,
        y: top + y * row,
        width: column - 1,
        height: row - 1,
        fill: share === null ? (isBroken ? colours.error : colours.paper) : paletteColour(share),
      });
    }),
  );
  const names = rows.map((it, y) =>
    label(it.label, {
      x: left - 8,
      y: top + y * row + 13,
      "text-anchor": "end",
      fill: colours.ink,
    }),
  );
  const every = Math.ceil(30 / column);
  const below = columns.map((text, x) =>
    x % every === 0
      ? label(text, {
          x: left + (x + 0.5) * column,
          y: bottom + 16,
          "text-anchor": "middle",
          fill: colours.soft,
        })
      : "",
  );
  const range = scale === null ? "" : `${formatNumber(scale.min)} … ${formatNumber(scale.max)}`;
  return svgFile(
    { width, height: bottom + 64, font: colours.font, paper: colours.paper },
    label(title, { x: 16, y: 22, "font-size": 15, fill: colours.ink }),
    ...names,
    ...cells,
    ...below,
    label(across, { x: left, y: bottom + 34, fill: colours.soft }),
    ...steps(left, bottom + 42),
    label(range, { x: left + 140, y: bottom + 52, fill: colours.soft }),
  );
}

const steps = (x: number, y: number): string[] =>
  Array.from({ length: 16 }, (_, i) =>
    tag("rect", { x: x + i * 8, y, width: 8, height: 12, fill: paletteColour(i / 15) }),
  );
