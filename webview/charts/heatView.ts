/** A heat map on a canvas, its rows' names beside it, with a cursor for mouse and keyboard. */
import { formatNumber } from "../../src/present/number.ts";
import { type Grid, gridTable } from "../model/grid.ts";
import type { Page } from "../page.ts";
import { element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { chartColours } from "../ui/theme.ts";
import { figure } from "./figure.ts";
import { heatPicture } from "./heatPicture.ts";
import { type HeatScale, heatScale } from "./heatScale.ts";
import { paletteColour } from "./palette.ts";

export interface HeatViewOptions {
  readonly chooser?: HTMLElement;
  readonly onPick: (row: number, column: number) => void;
}

const rowHeight = 18;
const footHeight = 18;

interface Cell {
  readonly row: number;
  readonly column: number;
}

export function heatView(page: Page, grid: Grid, options: HeatViewOptions): HTMLElement {
  const scale = heatScale(grid.rows.flatMap(({ values }) => values));
  const frame = figure(page, {
    title: grid.title,
    definition: grid.definition,
    summary: summaryOf(grid, scale),
    table: gridTable(grid),
    svg: () => heatPicture(grid, chartColours()),
    ...(options.chooser === undefined ? {} : { chooser: options.chooser }),
  });
  const names = grid.rows.map(({ label }) =>
    element("div", { class: "heat-name", title: label }, label),
  );
  const canvas = element("canvas", { "aria-hidden": "true" });
  frame.body.classList.add("heat");
  frame.body.tabIndex = 0;
  frame.body.setAttribute("role", "application");
  frame.body.setAttribute("aria-roledescription", t("heat map"));
  frame.body.setAttribute("aria-label", t("{0}. Arrow keys move over it.", grid.title));
  frame.body.append(element("div", { class: "heat-names" }, ...names), canvas);
  if (scale !== null) frame.body.after(scaleLegend(scale));

  let cursor: Cell | null = null;
  const draw = () => drawCells(canvas, grid, scale, cursor);
  const moveTo = (next: Cell | null) => {
    cursor = next;
    frame.read(next === null ? null : cellText(grid, next));
    draw();
  };
  const pick = () => {
    if (cursor !== null) options.onPick(cursor.row, cursor.column);
  };
  canvas.addEventListener("pointermove", (event) => moveTo(cellAt(canvas, grid, event)));
  canvas.addEventListener("pointerleave", () => moveTo(null));
  canvas.addEventListener("click", pick);
  frame.body.addEventListener("keydown", (event) => {
    const next = movedCell(cursor, event.key, grid);
    if (event.key === "Enter") pick();
    else if (next !== null) moveTo(next);
    else return;
    event.preventDefault();
  });
  page.onCursor((file, line) => {
    grid.rows.forEach(({ place }, i) => {
      const isHere = place !== null && place.line === line && place.file === file;
      names[i]?.classList.toggle("here", isHere);
    });
  });
  new ResizeObserver(draw).observe(canvas);
  return frame.element;
}

function summaryOf({ columns, rows }: Grid, scale: HeatScale | null): string {
  const size = `${rows.length} × ${columns.length}`;
  if (scale === null) return size;
  const broken = rows.flatMap(({ values }) => values).filter((num) => typeof num === "string");
  const range = `${formatNumber(scale.min)} … ${formatNumber(scale.max)}`;
  return [size, range, broken.length === 0 ? "" : t("Not finite: {0}", broken.length)]
    .filter((part) => part !== "")
    .join("; ");
}

function cellText({ across, columns, rows }: Grid, { row, column }: Cell): string {
  const num = rows[row]?.values[column] ?? null;
  const value = num === null ? "–" : formatNumber(num);
  return `${rows[row]?.label ?? ""}, ${across} ${columns[column] ?? column}: ${value}`;
}

function movedCell(cursor: Cell | null, key: string, { rows, columns }: Grid): Cell | null {
  const { row, column } = cursor ?? { row: 0, column: -1 };
  const [lastRow, lastColumn] = [rows.length - 1, columns.length - 1];
  const moves: Readonly<Record<string, Cell>> = {
    ArrowRight: { row, column: Math.min(column + 1, lastColumn) },
    ArrowLeft: { row, column: Math.max(column - 1, 0) },
    ArrowDown: { row: Math.min(row + 1, lastRow), column: Math.max(column, 0) },
    ArrowUp: { row: Math.max(row - 1, 0), column: Math.max(column, 0) },
    Home: { row, column: 0 },
    End: { row, column: lastColumn },
  };
  return moves[key] ?? null;
}

function cellAt(canvas: HTMLCanvasElement, grid: Grid, event: PointerEvent): Cell | null {
  const box = canvas.getBoundingClientRect();
  const row = Math.floor((event.clientY - box.top) / rowHeight);
  const column = Math.floor(((event.clientX - box.left) / box.width) * grid.columns.length);
  const isInside = row >= 0 && row < grid.rows.length && column >= 0;
  return isInside && column < grid.columns.length ? { row, column } : null;
}

function drawCells(
  canvas: HTMLCanvasElement,
  { columns, rows }: Grid,
  scale: HeatScale | null,
  cursor: Cell | null,
): void {
  const context = canvas.getContext("2d");
  const width = canvas.clientWidth;
  if (context === null || width === 0) return;
  const pixels = window.devicePixelRatio;
  const height = rows.length * rowHeight + footHeight;
  canvas.width = Math.round(width * pixels);
  canvas.height = Math.round(height * pixels);
  canvas.style.height = `${height}px`;
  context.scale(pixels, pixels);
  const colours = chartColours();
  const step = width / columns.length;
  const gap = step > 4 ? 1 : 0;
  rows.forEach(({ values }, row) => {
    columns.forEach((_, column) => {
      const num = values[column] ?? null;
      const share = scale?.share(num) ?? null;
      const [x, y] = [column * step, row * rowHeight];
      if (share !== null) {
        context.fillStyle = paletteColour(share);
        context.fillRect(x, y, step - gap, rowHeight - 1);
      } else if (typeof num === "string") {
        // Not colour alone: a number that is not finite has a mark.
        context.strokeStyle = colours.error;
        context.strokeRect(x + 1, y + 1, step - gap - 2, rowHeight - 3);
        context.fillStyle = colours.error;
        context.fillText("!", x + step / 2 - 1, y + 13);
      } else if (num !== null) {
        context.strokeStyle = colours.rule;
        context.strokeRect(x + 0.5, y + 0.5, step - gap - 1, rowHeight - 2);
      }
    });
  });
  context.fillStyle = colours.soft;
  context.font = `11px ${colours.font}`;
  context.textAlign = "center";
  const every = Math.max(1, Math.ceil(28 / step));
  columns.forEach((label, column) => {
    if (column % every !== 0) return;
    context.fillText(label, (column + 0.5) * step, rows.length * rowHeight + 13);
  });
  if (cursor === null) return;
  context.strokeStyle = colours.focus;
  context.lineWidth = 2;
  context.strokeRect(cursor.column * step, cursor.row * rowHeight, step - gap, rowHeight - 1);
}

function scaleLegend(scale: HeatScale): HTMLElement {
  const bar = element("canvas", { width: "160", height: "16", "aria-hidden": "true" });
  const context = bar.getContext("2d");
  for (let x = 0; context !== null && x < bar.width; x++) {
    context.fillStyle = paletteColour(x / (bar.width - 1));
    context.fillRect(x, 0, 1, bar.height);
  }
  const kind = scale.isLogarithmic ? ` (${t("logarithmic steps")})` : "";
  return element(
    "p",
    { class: "scale" },
    formatNumber(scale.min),
    bar,
    `${formatNumber(scale.max)}${kind}`,
  );
}
