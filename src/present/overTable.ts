/** One model at several values of an argument: a line each, the ends of each series over depth. */
import type { Num } from "../protocol/report.ts";
import { type DepthProfile, depthProfiles } from "./depthProfiles.ts";
import type { ReportSide } from "./reportSide.ts";
import { type Cell, leftColumn, numberCell, rightColumn, type Table, textCell } from "./table.ts";

const shown: readonly (readonly [string, string])[] = [
  ["streamRms", "residual stream RMS"],
  ["outputGradient", "gradient at block output"],
  ["ffnWeightGradient", "FFN weight gradient"],
];

/** `sides` are named by the values of `argument`; of several stacks the last counts. */
export function overTable(argument: string, sides: readonly ReportSide[]): Table {
  return {
    title: `over ${argument}`,
    columns: [
      leftColumn(argument),
      leftColumn("found"),
      rightColumn("loss"),
      ...shown.flatMap(([, label]) => [rightColumn("first", label), rightColumn("last", label)]),
    ],
    rows: sides.map(({ name, report }) => {
      const profile = depthProfiles(report).at(-1) ?? null;
      return [
        textCell(name),
        textCell(profile?.placement ?? "–"),
        numberCell(report.loss),
        ...shown.flatMap(([id]) => ends(profile, id)),
      ];
    }),
  };
}

function ends(profile: DepthProfile | null, id: string): Cell[] {
  const values = profile?.series.find((series) => series.id === id)?.values ?? [];
  const known: readonly Num[] = values.filter((num) => num !== null);
  return [numberCell(known.at(0) ?? null), numberCell(known.at(-1) ?? null)];
}
