/** A published claim, run live: what is expected, what was measured, and whether it shows. */

import type { ClaimNumber, ClaimResult } from "../../protocol/claimsPage.ts";
import { formatNumber, toNumber } from "../number.ts";
import { leftColumn, rightColumn, type Table, textCell } from "../table.ts";

export const isShown = ({ range, measured }: ClaimNumber): boolean | null =>
  range === null
    ? null
    : toNumber(measured) >= range[0] &&
      toNumber(measured) <= (range[1] ?? Number.POSITIVE_INFINITY);

/** "shown", or how many of its numbers lie where they were expected. */
export function verdict({ numbers }: Pick<ClaimResult, "numbers">): string {
  const judged = numbers.map(isShown).filter((shown) => shown !== null);
  const good = judged.filter((shown) => shown).length;
  if (judged.length === 0) return "measured";
  if (good === judged.length) return "shown";
  return good === 0 ? "not shown here" : `partly: ${good} of ${judged.length}`;
}

export const claimTable = ({ title, numbers }: ClaimResult): Table => ({
  title,
  columns: [leftColumn("number"), rightColumn("expected"), rightColumn("measured"), leftColumn("")],
  rows: numbers.map((it) => {
    const shown = isShown(it);
    const said = shown === null ? "" : shown ? "as expected" : "not as expected";
    const tone = shown === false ? ("warning" as const) : undefined;
    return [
      textCell(it.name),
      textCell(it.expected),
      textCell(formatNumber(it.measured)),
      textCell(said, tone),
    ];
  }),
});
