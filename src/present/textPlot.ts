/** A plot in characters: one mark a line, a legend below. */
import { formatNumber } from "./number.ts";
import { drawable, type Plot, scaleOf } from "./plot.ts";

const marks = ["●", "◆", "▲", "■", "○", "◇", "△", "□"] as const;
const referenceMark = "·";
const gutter = 10;

export interface PlotSize {
  /** Characters, the numbers of the vertical axis included. */
  readonly columns: number;
  readonly rows: number;
}

export function textPlot(plot: Plot, { columns, rows }: PlotSize): string[] {
  const lines = plot.lines.map((line) => ({ ...line, drawn: drawable(plot, line) }));
  const all = lines.flatMap(({ drawn }) => drawn);
  const x = scaleOf(
    all.map(([at]) => at),
    plot.x,
  );
  const y = scaleOf(
    all.map(([, at]) => at),
    plot.y,
  );
  if (x === null || y === null) return [plot.title, "  nothing that can be drawn"];
  const width = columns - gutter;
  const cells = Array.from({ length: rows }, () => new Array<string>(width).fill(" "));
  const put = (px: number, py: number, mark: string) => {
    const row = cells[rows - 1 - Math.round(py * (rows - 1))];
    if (row) row[Math.round(px * (width - 1))] = mark;
  };
  const order = lines.map((line, at) => ({ ...line, mark: markOf(lines, at) }));
  for (const { drawn, isReference = false, mark } of order.toReversed()) {
    if (isReference)
      for (const [a, b] of between(drawn, width)) put(x.position(a), y.position(b), mark);
    else for (const [a, b] of drawn) put(x.position(a), y.position(b), mark);
  }
  const edge = (row: number): string => {
    const at = row === 0 ? y.to : row === rows - 1 ? y.from : null;
    return at === null ? " ".repeat(gutter - 2) : formatNumber(at).padStart(gutter - 2);
  };
  const [from, to] = [formatNumber(x.from), formatNumber(x.to)];
  const label = `${plot.x.label}${plot.x.isLog ? " (log)" : ""}`;
  const room = Math.max(width - from.length - to.length, label.length + 2);
  return [
    `${plot.title}${plot.y.isLog ? " (log)" : ""}`,
    ...cells.map((row, at) => `${edge(at)} │${row.join("").trimEnd()}`),
    `${" ".repeat(gutter - 1)}└${"─".repeat(width)}`,
    `${" ".repeat(gutter)}${from}${label.padStart((room + label.length) >> 1).padEnd(room)}${to}`,
    `${" ".repeat(gutter)}${order.map(({ name, mark }) => `${mark} ${name}`).join("   ")}`,
  ];
}

function markOf(lines: readonly { readonly isReference?: boolean }[], at: number): string {
  if (lines[at]?.isReference) return referenceMark;
  const before = lines.slice(0, at).filter(({ isReference }) => !isReference).length;
  return marks[before % marks.length] ?? marks[0];
}

/** Points between the first and the last, for a line that is a function. */
function between(points: readonly (readonly [number, number])[], count: number) {
  return points.flatMap(([x, y], at) => {
    const next = points[at + 1];
    if (!next) return [[x, y] as const];
    const parts = Math.max(1, Math.round(count / Math.max(points.length - 1, 1)));
    return Array.from({ length: parts }, (_, part) => {
      const share = part / parts;
      return [x + (next[0] - x) * share, y + (next[1] - y) * share] as const;
    });
  });
}
