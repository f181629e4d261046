/** What was measured beside what was aimed at. */

export interface Finding {
  readonly name: string;
  /** Ours and what it is divided by, in `unit`. */
  readonly ours: number;
  readonly theirs: number;
  readonly unit: "ms" | "MB";
  readonly ratio: number;
  /** null: for information. */
  readonly limit: number | null;
  /** What stands in the way where it is missed. */
  readonly limits?: string;
}

export function finding(parts: Omit<Finding, "ratio">): Finding {
  return { ...parts, ratio: parts.ours / parts.theirs };
}

export function line({ name, ours, theirs, unit, ratio, limit }: Finding): string {
  const verdict = limit === null ? "      " : ratio <= limit ? "met   " : "MISSED";
  const bound = limit === null ? "" : `  (target ${limit})`;
  return `${verdict} ${name.padEnd(64)} ${ratio.toFixed(2)}${bound}  ${show(ours)} / ${show(theirs)} ${unit}`;
}

const show = (x: number): string => (x < 100 ? x.toFixed(1) : x.toFixed(0));
