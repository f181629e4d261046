/** A published claim, run live: what is expected, what was measured, and whether it shows. */

import { formatNumber } from "../number.ts";
import type { Plot } from "../plot.ts";
import { leftColumn, rightColumn, type Table, textCell } from "../table.ts";

export interface ClaimResult {
  readonly id: string;
  readonly title: string;
  /** The paper, and where the expected numbers are from. */
  readonly source: string;
  /** What was run. */
  readonly setting: string;
  readonly numbers: readonly ClaimNumber[];
  readonly plots: readonly Plot[];
  /** What the numbers say, and what they do not. */
  readonly text: string;
  readonly seconds: number;
}

export interface ClaimNumber {
  readonly name: string;
  /** "-0.46 ± 0.05". */
  readonly expected: string;
  /** Where real PyTorch's seeds lie; null: it is only told. */
  readonly range: readonly [least: number, most: number] | null;
  readonly measured: number;
}

export const isShown = ({ range, measured }: ClaimNumber): boolean | null =>
  range === null ? null : measured >= range[0] && measured <= range[1];

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
