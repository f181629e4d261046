/** One row a block: what its depth profiles say. */
import type { StackSide } from "./reportSide.ts";
import { type Cell, numberCell, rightColumn, type Table, textCell } from "./table.ts";

/** The blocks of one stack, or of two and more next to one another, series by series. */
export function blockTable(sides: readonly StackSide[]): Table {
  const [only, ...others] = sides;
  if (only !== undefined && others.length === 0) return layerTable(only);
  const depth = Math.max(0, ...sides.map(({ profile }) => profile.labels.length));
  const labelOf = (i: number): string =>
    sides.map(({ profile }) => profile.labels[i]).find((label) => label !== undefined) ?? "";
  const allSeries = sides.flatMap(({ profile }) => profile.series);
  const ids = [...new Set(allSeries.map(({ id }) => id))];
  return {
    title: "block by block",
    columns: [
      rightColumn("block"),
      ...ids.flatMap((id) => sides.map(({ name }) => rightColumn(name, groupLabel(sides, id)))),
    ],
    rows: Array.from({ length: depth }, (_, i) => [
      textCell(labelOf(i)),
      ...ids.flatMap((id) => sides.map((side) => cellOf(side, id, i))),
    ]),
  };
}

const layerTable = ({ profile }: StackSide): Table => ({
  title: `${profile.placement}, block by block`,
  columns: [rightColumn("block"), ...profile.series.map(({ short }) => rightColumn(short))],
  rows: profile.labels.map((label, i) => [
    textCell(label),
    ...profile.series.map(({ values }) => numberCell(values[i] ?? null)),
  ]),
});

const cellOf = ({ profile }: StackSide, id: string, i: number): Cell =>
  numberCell(profile.series.find((series) => series.id === id)?.values[i] ?? null);

/** What a series is called: by both sides' names where these differ (attn, self_attn). */
function groupLabel(sides: readonly StackSide[], id: string): string {
  const labels = sides.flatMap(({ profile }) =>
    profile.series.filter((series) => series.id === id).map(({ short }) => short),
  );
  return [...new Set(labels)].join(", ");
}
