/** Depth profiles in one screen: the first number, the last, and what lies between as a line. */
import type { StackSide } from "./reportSide.ts";
import { sparkline } from "./sparkline.ts";
import { type Cell, leftColumn, numberCell, rightColumn, type Table, textCell } from "./table.ts";

/** One row a series, the sides next to one another. */
export function depthTable(sides: readonly StackSide[]): Table {
  const all = sides.flatMap(({ profile }) => profile.series);
  const labels = new Map(all.map(({ id, label }) => [id, label]));
  return {
    title: "over depth",
    columns: [
      leftColumn(""),
      ...sides.flatMap(({ name }) => {
        const columns = [rightColumn("first"), rightColumn("last"), leftColumn("over depth")];
        return sides.length === 1 ? columns : columns.map((it) => ({ ...it, group: name }));
      }),
    ],
    rows: Array.from(labels, ([id, label]) => [
      textCell(label),
      ...sides.flatMap((side) => seriesCells(side, id)),
    ]),
  };
}

function seriesCells({ profile }: StackSide, id: string): Cell[] {
  const values = profile.series.find((series) => series.id === id)?.values ?? [];
  const known = values.filter((num) => num !== null);
  return [
    numberCell(known.at(0) ?? null),
    numberCell(known.at(-1) ?? null),
    textCell(sparkline(values)),
  ];
}
