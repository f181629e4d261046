/** One model on two devices: how far each of its values is apart, worst first. */
import type { Num, RunReport, Stats } from "../protocol/report.ts";
import { formatNumber, toNumber } from "./number.ts";
import { type Cell, leftColumn, numberCell, rightColumn, type Table, textCell } from "./table.ts";

export interface Agreement {
  /** The largest distance; 0: equal. */
  readonly worst: number;
  readonly rows: readonly AgreementRow[];
}

export interface AgreementRow {
  /** `file:line op` of a value, name of a parameter. */
  readonly name: string;
  readonly kind: "forward" | "gradient";
  /** The statistic that is furthest apart. */
  readonly statistic: string;
  readonly a: Num | null;
  readonly b: Num | null;
  readonly distance: number;
}

const statistics = ["mean", "std", "rms", "min", "max"] as const;
type Statistic = (typeof statistics)[number];

/**
 * |a − b| / (|b| + 0.02 · L), where L is the largest of that statistic: 1e-4 is then what a run is
 * allowed to be apart from PyTorch's. A number that only one of them has as a number is infinitely
 * far away.
 */
const floorShare = 0.02;

interface Measured {
  readonly name: string;
  readonly kind: AgreementRow["kind"];
  readonly stats: Stats | null;
}

/** Both must be reports of the same request but for the device. */
export function agreementOf(a: RunReport, b: RunReport): Agreement {
  const [as, bs] = [measuredIn(a), measuredIn(b)];
  const largest = new Map<string, number>();
  for (const { kind, stats } of bs) {
    if (stats === null) continue;
    for (const statistic of statistics) {
      const size = Math.abs(toNumber(stats[statistic]));
      const key = kind + statistic;
      if (Number.isFinite(size)) largest.set(key, Math.max(largest.get(key) ?? 0, size));
    }
  }
  const rows = bs.flatMap((one, i): AgreementRow[] => {
    const other = as[i]?.stats ?? null;
    if (one.stats === null && other === null) return [];
    return [furthest(one, other, (statistic) => largest.get(one.kind + statistic) ?? 0)];
  });
  rows.sort((x, y) => y.distance - x.distance);
  return { worst: rows[0]?.distance ?? 0, rows };
}

function measuredIn(report: RunReport): Measured[] {
  const values = report.values.flatMap(({ file, line, op, call, activation, gradient }) => {
    const name = `${file}:${line} ${op}${call === 0 ? "" : ` (${call + 1})`}`;
    return both(name, activation, gradient);
  });
  const parameters = report.parameters.flatMap(({ name, value, gradient }) =>
    both(name, value, gradient),
  );
  return [...values, ...parameters];
}

const both = (name: string, forward: Stats, gradient: Stats | null): Measured[] => [
  { name, kind: "forward", stats: forward },
  { name, kind: "gradient", stats: gradient },
];

function furthest(
  { name, kind, stats }: Measured,
  other: Stats | null,
  largestOf: (statistic: Statistic) => number,
): AgreementRow {
  const all = statistics.map((statistic): AgreementRow => {
    const [a, b] = [other?.[statistic] ?? null, stats?.[statistic] ?? null];
    const distance = distanceOf(a, b, largestOf(statistic));
    return { name, kind, statistic, a, b, distance };
  });
  return all.reduce((worst, row) => (row.distance > worst.distance ? row : worst));
}

function distanceOf(a: Num | null, b: Num | null, largest: number): number {
  if (a === b) return 0;
  if (a === null || b === null) return Number.POSITIVE_INFINITY;
  const apart = Math.abs(toNumber(a) - toNumber(b));
  const scale = Math.abs(toNumber(b)) + floorShare * largest;
  return Number.isFinite(apart) && scale > 0 ? apart / scale : Number.POSITIVE_INFINITY;
}

/** At most `limit` rows; `names` are the devices. */
export function agreementTable(
  { rows }: Agreement,
  [nameA, nameB]: readonly [string, string],
  limit: number,
): Table {
  const shown = rows.slice(0, limit);
  return {
    title: "values that differ most",
    columns: [
      leftColumn("value"),
      leftColumn(""),
      leftColumn("statistic"),
      ...[nameA, nameB, "distance"].map((label) => rightColumn(label)),
    ],
    rows: shown.map(({ name, kind, statistic, a, b, distance }): Cell[] => [
      textCell(name),
      textCell(kind),
      textCell(statistic),
      numberCell(a),
      numberCell(b),
      textCell(Number.isFinite(distance) ? formatNumber(distance) : "∞"),
    ]),
  };
}
