/** How fast the pairs of a rotation turn with the position: theirs are to differ by orders of magnitude. */
import { cosine, isSame, mixedRow, type Operand, range, rowsOf } from "./operandRows.ts";

export interface RateFault {
  readonly kind: "rates";
  /** `one`: a single pair turns at all. `alike`: all turn by the same angle. */
  readonly rates: "one" | "alike";
  /** Of the columns of a row, how many differ from position to position. */
  readonly turning: number;
  readonly columns: number;
}

/** Positions were counted in a type that rounds them. */
export interface RoundedFault {
  readonly kind: "rounded";
  /** How many positions are turned as the one before, and which is the first. */
  readonly same: number;
  readonly first: number;
  readonly type: string;
}

const fewestPositions = 8;
/** Of a table that has a column for each pair, or for each number. */
const fewestColumns = 4;

/** null: rates differ, or there are too few pairs to tell. */
export function rateFault(operand: Operand): RateFault | null {
  const columns = Math.min(...operand.tables.map(({ inputs }) => widthOf(inputs)));
  const rows = rowsOf(operand, mixedRow);
  if (!rows || rows.positions < fewestPositions || !(columns >= fewestColumns)) return null;
  const first = rows.at(0, 0);
  const turning = range(first.length).filter((column) =>
    range(rows.positions).some((place) => {
      const [a, b] = [rows.at(0, place)[column] ?? 0, first[column] ?? 0];
      return Math.abs(a - b) > 1e-4 * (1 + Math.abs(b));
    }),
  ).length;
  if (turning === 2) return { kind: "rates", rates: "one", turning, columns: first.length };
  // All by one angle: the cosine of n steps follows from that of one.
  const step = Math.acos(Math.min(1, cosine(rows.at(0, 1), first)));
  const isAlike = range(rows.positions).every(
    (place) => Math.abs(cosine(rows.at(0, place), first) - Math.cos(place * step)) < 1e-3,
  );
  return isAlike && turning === first.length
    ? { kind: "rates", rates: "alike", turning, columns: first.length }
    : null;
}

const widthOf = (inputs: Operand["tables"][number]["inputs"]): number =>
  Math.min(...inputs.map((value) => value?.shape.at(-1) ?? 1));

/** The first whole numbers that lack a number of their own: significands of 8 and of 11 bits. */
const roundedFrom = new Map([
  [257, "bfloat16"],
  [2049, "float16"],
]);

/** null: each position turns on, or where some do not, it is not where a type begins to round. */
export function roundedFault(operand: Operand): RoundedFault | null {
  const rows = rowsOf(operand, mixedRow);
  if (!rows) return null;
  const same = range(rows.positions).filter(
    (place) => place > 0 && isSame(rows.at(0, place), rows.at(0, place - 1)),
  );
  const [first] = same;
  const type = first === undefined ? undefined : roundedFrom.get(first);
  // Of the places behind, at least every second has a number of its own until the next power of two.
  if (first === undefined || !type || same.length === rows.positions - first) return null;
  return { kind: "rounded", same: same.length, first, type };
}
