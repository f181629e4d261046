/** A fixed table of positions in which positions are alike, or columns are empty. */
import type { TorchCall, Value } from "../graph/graph.ts";
import { isFloat, type Numbers } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { numbersFrom } from "../stats/hostNumbers.ts";
import type { Structure } from "../stats/structure.ts";
import { callPlace, type Evidence, figure, readersOf } from "./evidence.ts";

const fewestPositions = 4;
const fewestColumns = 4;
/** Of the columns; a sinusoid has none that is 0 at every position. */
const emptyShare = 0.25;

export const positionTable = (evidence: Evidence): Finding[] => [
  ...ofNumbers(evidence),
  ...ofIndices(evidence),
  ...ofSlices(evidence),
];

/** One row of a learned table for all positions. Tables of few kinds (segments) are shorter than a sequence. */
function ofIndices({ structure }: Evidence): Finding[] {
  return structure.nodes.flatMap(({ op, inputs: [table, indices], outputs, origin }): Finding[] => {
    const { call } = origin;
    const [out] = outputs;
    if (op !== "Gather" || table?.role !== "parameter" || !indices || !call || !out) return [];
    const rows = table.shape[0] ?? 0;
    const places = indices.shape.at(-1) ?? 1;
    if (table.shape.length !== 2 || places < fewestPositions || rows < places) return [];
    const { nodes, producers } = structure;
    const data = numbersFrom(indices, nodes, producers.makers);
    const isAdded = readersOf({ structure }, out).some((reader) => reader.op.startsWith("add"));
    if (!isAdded || !data?.every((one) => one === data[0])) return [];
    if (hasOtherRows(structure, places, out)) return [];
    return [oneRow(call, places, Number(data[0]), rows)];
  });
}

/** `table[:1]`, `table[:, :1]`: a slice of one row that is added to all positions. */
function ofSlices({ structure }: Evidence): Finding[] {
  const { nodes, producers } = structure;
  return nodes.flatMap(({ op, inputs, outputs: [out], origin: { call } }): Finding[] => {
    const places = out?.shape.at(-2) ?? 1;
    if (op !== "Add" || !out || !call || out.shape.length !== 3) return [];
    return inputs.flatMap((added): Finding[] => {
      const isRow = added?.shape.slice(0, -1).every((size) => size === 1);
      const slice = added && isRow ? producers.makerOf(added) : null;
      const [table, starts] = slice?.inputs ?? [];
      if (!added || slice?.op !== "Slice" || table?.role !== "parameter") return [];
      const rows = table.shape.at(-2) ?? 1;
      if (table.shape.slice(0, -2).some((size) => size > 1) || table.shape.length < 2) return [];
      if (table.shape.at(-1) !== out.shape.at(-1)) return [];
      if (places < fewestPositions || rows < places || hasOtherRows(structure, places, added))
        return [];
      return [oneRow(call, places, Number(starts?.data?.[0] ?? 0), rows)];
    });
  });
}

const oneRow = (call: TorchCall, places: number, row: number, rows: number): Finding => ({
  code: "init/positions",
  severity: "warning",
  message: `All ${places} positions get row ${row} of a table of ${rows}: what is added is the same for each of them`,
  ...callPlace(call),
  evidence: { positions: places, row },
});

/** Whether something else is added that has a row for each position and none for samples. */
const hasOtherRows = ({ nodes, sourceOf }: Structure, places: number, own: Value): boolean =>
  nodes.some(
    ({ op, inputs, outputs: [out] }) =>
      op === "Add" &&
      out?.shape.length === 3 &&
      inputs.some(
        (value) =>
          value !== null &&
          sourceOf(value).value.id !== sourceOf(own).value.id &&
          value.shape.at(-1) === out.shape[2] &&
          value.shape.at(-2) === places &&
          value.shape.slice(0, -2).every((size) => size === 1) &&
          (out.shape[0] ?? 1) > 1,
      ),
  );

/** Learned tables start as they are (zeros are usual), and are left out. */
function ofNumbers({ structure }: Evidence): Finding[] {
  const { isWeight } = structure.found;
  const biases = new Set(
    structure.attention.flatMap(({ treatments }) => treatments.map(({ node }) => node)),
  );
  return structure.nodes.flatMap((node): Finding[] => {
    const { op, inputs, outputs, origin } = node;
    const { call } = origin;
    const [out] = outputs;
    if (op !== "Add" || !call || out?.shape.length !== 3 || call.op === "linear") return [];
    if (biases.has(node)) return [];
    return inputs.flatMap((value): Finding[] => {
      const numbers = value && tableOf(value, out);
      const other = inputs.find((one) => one !== value);
      // Zeros that spread a class token over the samples, and masks that hide nothing.
      if (!numbers || (other && isWeight(other)) || areScores(structure, out)) return [];
      const columns = out.shape[2] ?? 1;
      const positions = numbers.length / columns;
      const fault = faultOf(numbers, positions, columns);
      if (fault === null) return [];
      return [
        {
          code: "init/positions",
          severity: "warning",
          message: `The table that is added for ${positions} positions says too little: ${fault}`,
          ...callPlace(call),
          evidence: { positions, columns },
        },
      ];
    });
  });
}

const areScores = (structure: Evidence["structure"], value: Value): boolean =>
  readersOf({ structure }, value).some(({ op }) => op === "softmax");

/** The numbers of a constant that has a row for each position and none for samples. */
function tableOf({ shape, data, role, dtype, requiresGrad }: Value, out: Value): Numbers | null {
  const columns = out.shape[2] ?? 1;
  const rows = shape.slice(0, -1).filter((size) => size > 1);
  if (!data || role === "parameter" || requiresGrad || !isFloat(dtype)) return null;
  if (shape.at(-1) !== columns || columns < fewestColumns || rows.length !== 1) return null;
  // [n, 1, width] plus as much: n tokens of a kind, made from nothing.
  if (out.shape[1] === 1 && shape.at(-2) === 1) return null;
  return (rows[0] ?? 0) < fewestPositions ? null : data;
}

function faultOf(numbers: Numbers, positions: number, columns: number): string | null {
  const at = (row: number, column: number) => Number(numbers[row * columns + column]);
  const range = (count: number) => Array.from({ length: count }, (_, i) => i);
  const varying = range(columns).filter((column) =>
    range(positions).some((row) => at(row, column) !== at(0, column)),
  );
  if (varying.length === 0) return "all of its rows are the same";
  const empty = range(columns).filter((column) =>
    range(positions).every((row) => at(row, column) === 0),
  );
  if (empty.length >= emptyShare * columns)
    return `${empty.length} of its ${columns} columns are 0 throughout`;
  const base = baseOfRates(range(columns), at);
  if (base !== null && base > largestBase)
    return `its angles fall to 1/${figure(base)} and not to 1/10000 of the first, so that its slower columns hardly differ over any length: the exponent has a factor too much (2i / d for i that counts columns by twos already)`;
  const isAsBefore = (row: number) =>
    range(columns).every((column) => at(row, column) === at(row - 1, column)) &&
    range(columns).some((column) => at(row, column) !== 0);
  const same = range(positions).filter((row) => row > 0 && isAsBefore(row));
  const [first] = same;
  // Kinds of positions (segments) have few rows, and each of them many times.
  if (first === undefined || same.length > positions / 2) return null;
  return `${same.length} rows are those of the position before (from ${first} on): positions were rounded, as bfloat16 does above 256 and float16 above 2048`;
}

/** A hundred times the usual 10000 is meant; its square is a mistake. */
const largestBase = 1e7;

/**
 * What the angles of a table of sines and cosines are powers of: rates b^(-2i/d) for pairs i of d columns.
 * Row 0 tells sines (0) from cosines (1), and row 1 has the rates. null: no such table.
 */
function baseOfRates(
  columns: readonly number[],
  at: (row: number, column: number) => number,
): number | null {
  const sines = columns.filter((column) => at(0, column) === 0);
  const isPaired = columns.every((column) => at(0, column) === 0 || at(0, column) === 1);
  if (!isPaired || sines.length * 2 !== columns.length) return null;
  const rates = sines.map((column) => Math.asin(at(1, column)));
  const [first = 0, second = 0] = rates;
  const ratio = second / first;
  if (!(ratio > 0 && ratio < 1)) return null;
  const isGeometric = rates.every(
    (rate, i) => i === 0 || Math.abs(rate / (rates[i - 1] ?? 0) / ratio - 1) < 0.01,
  );
  return isGeometric ? ratio ** -sines.length : null;
}
