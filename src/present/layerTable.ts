/** One row a block: what its depth profiles say, and how it passes the gradient on. */
import type { RunReport } from "../protocol/report.ts";
import { stacks } from "./blocks.ts";
import { type DepthProfile, depthProfiles } from "./depthProfiles.ts";
import { type Cell, leftColumn, numberCell, rightColumn, type Table, textCell } from "./table.ts";

/** A table for each stack of blocks. */
export const layerTables = (report: RunReport): Table[] =>
  depthProfiles(report).map((profile) => layerTable(report, profile));

export function layerTable(report: RunReport, profile: DepthProfile): Table {
  const gains = stacks(report)
    .filter(({ path }) => path === profile.stack)
    .flatMap(({ blocks }) => blocks.map(({ block }) => block.backwardGain));
  return {
    title: `${profile.stack}: ${profile.placement}`,
    columns: [
      leftColumn("block"),
      ...profile.series.map(({ short }) => rightColumn(short)),
      rightColumn("gain"),
    ],
    rows: profile.labels.map((label, i) => [
      textCell(label),
      ...profile.series.map(({ values }) => numberCell(values[i] ?? null)),
      numberCell(gains[i] ?? null),
    ]),
  };
}

/** A named side of a comparison. */
export interface Side {
  readonly name: string;
  readonly profile: DepthProfile;
}

/** One row a block position, each series of both sides next to one another. */
export function sideBySide(title: string, sides: readonly Side[]): Table {
  const seriesIds = [
    ...new Set(sides.flatMap(({ profile }) => profile.series.map(({ id }) => id))),
  ];
  const depth = Math.max(0, ...sides.map(({ profile }) => profile.labels.length));
  const labelOf = (i: number): string =>
    sides.map(({ profile }) => profile.labels[i]).find((label) => label !== undefined) ?? "";
  const cellOf = (side: Side, id: string, i: number): Cell => {
    const series = side.profile.series.find((it) => it.id === id);
    return numberCell(series?.values[i] ?? null);
  };
  return {
    title,
    columns: [
      rightColumn("block"),
      ...seriesIds.flatMap((id) =>
        sides.map(({ name }) => rightColumn(name, groupLabel(sides, id))),
      ),
    ],
    rows: Array.from({ length: depth }, (_, i) => [
      textCell(labelOf(i)),
      ...seriesIds.flatMap((id) => sides.map((side) => cellOf(side, id, i))),
    ]),
  };
}

/** What a series is called: by both sides' names where these differ (attn, self_attn). */
function groupLabel(sides: readonly Side[], id: string): string {
  const labels = sides.flatMap(({ profile }) =>
    profile.series.filter((series) => series.id === id).map(({ short }) => short),
  );
  return [...new Set(labels)].join(", ");
}
