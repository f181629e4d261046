/** A fixed table of positions in which positions are alike, or columns are empty. */
import type { Value } from "../graph/graph.ts";
import { isFloat, type Numbers } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence, readersOf } from "./evidence.ts";

const fewestPositions = 4;
const fewestColumns = 4;
/** Of the columns; a sinusoid has none that is 0 at every position. */
const emptyShare = 0.25;

export const positionTable = (evidence: Evidence): Finding[] => [
  ...ofNumbers(evidence),
  ...ofIndices(evidence),
];

/** One row of a learned table for all positions. Tables of few kinds (segments) are shorter than a sequence. */
function ofIndices({ structure }: Evidence): Finding[] {
  return structure.nodes.flatMap(({ op, inputs: [table, indices], outputs, origin }): Finding[] => {
    const { call } = origin;
    const [out] = outputs;
    if (op !== "Gather" || table?.role !== "parameter" || !indices?.data || !call || !out)
      return [];
    const { data } = indices;
    const isAdded = readersOf({ structure }, out).some((reader) => reader.op.startsWith("add"));
    const isLong = table.shape.length === 2 && (table.shape[0] ?? 0) >= data.length;
    if (!isAdded || !isLong || data.length < fewestPositions) return [];
    if (!data.every((one) => one === data[0])) return [];
    return [
      {
        code: "init/positions",
        severity: "warning",
        message: `All ${data.length} positions read row ${data[0]} of a table of ${table.shape[0]}: what is added is the same for each of them`,
        ...callPlace(call),
        evidence: { positions: data.length, row: Number(data[0]) },
      },
    ];
  });
}

/** Learned tables start as they are (zeros are usual), and are left out. */
function ofNumbers({ structure }: Evidence): Finding[] {
  return structure.nodes.flatMap(({ op, inputs, outputs, origin }): Finding[] => {
    const { call } = origin;
    const [out] = outputs;
    if (op !== "Add" || !call || out?.shape.length !== 3 || call.op === "linear") return [];
    return inputs.flatMap((value): Finding[] => {
      const numbers = value && tableOf(value, out);
      if (!numbers) return [];
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

/** The numbers of a constant that has a row for each position and none for samples. */
function tableOf({ shape, data, role, dtype, requiresGrad }: Value, out: Value): Numbers | null {
  const columns = out.shape[2] ?? 1;
  const rows = shape.slice(0, -1).filter((size) => size > 1);
  if (!data || role === "parameter" || requiresGrad || !isFloat(dtype)) return null;
  if (shape.at(-1) !== columns || columns < fewestColumns || rows.length !== 1) return null;
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
  if (empty.length < emptyShare * columns) return null;
  return `${empty.length} of its ${columns} columns are 0 throughout`;
}
