/** What a hover over a line says: every operation of the line, then the numbers of each layer. */
import type { RunReport, ValueReport } from "../protocol/report.ts";
import { fold, lineNotes, outermost, valuesByOperation } from "./lineNotes.ts";
import { formatShape } from "./number.ts";
import { leftColumn, numberCell, rightColumn, type Table, textCell } from "./table.ts";

export interface Hover {
  /** The line's note: the answer comes first. */
  readonly headline: string;
  /** One row an operation, innermost first. */
  readonly operations: Table;
  /** One row a pass of the outermost operation. */
  readonly passes: Table;
  readonly definition: string;
}

const definition =
  "RMS over all elements of the value, at the time of the call; the gradient is what " +
  "Tensor.register_hook receives, summed over all uses";

export function hover(report: RunReport, file: string, line: number): Hover | null {
  const note = lineNotes(report, file).find((it) => it.line === line);
  if (note === undefined) return null;
  const values = report.values.filter((value) => value.file === file && value.line === line);
  return {
    headline: note.text,
    operations: operationTable(valuesByOperation(values)),
    passes: passTable(outermost(values)),
    definition,
  };
}

const operationTable = (groups: readonly (readonly ValueReport[])[]): Table => ({
  title: "Operations of this line",
  columns: [
    leftColumn("operation"),
    leftColumn("type"),
    rightColumn("forward RMS"),
    rightColumn("gradient RMS"),
    rightColumn("runs"),
  ],
  rows: groups.map((group) => {
    const [first] = group;
    return [
      textCell(first?.op ?? ""),
      textCell(first === undefined ? "" : `${first.dtype}${formatShape(first.shape)}`),
      textCell(fold(group.map(({ activation }) => activation)).range),
      textCell(fold(group.map(({ gradient }) => gradient)).range),
      textCell(String(group.length)),
    ];
  }),
});

const passTable = (values: readonly ValueReport[]): Table => ({
  title: values[0]?.op ?? "",
  columns: [
    leftColumn("module"),
    ...["RMS", "mean", "std", "min", "max"].map((label) => rightColumn(label, "forward")),
    ...["RMS", "max abs"].map((label) => rightColumn(label, "gradient")),
  ],
  rows: values.map(({ module, activation, gradient }) => [
    textCell(module ?? ""),
    numberCell(activation.rms),
    numberCell(activation.mean),
    numberCell(activation.std),
    numberCell(activation.min),
    numberCell(activation.max),
    numberCell(gradient?.rms ?? null),
    numberCell(gradient?.absMax ?? null),
  ]),
});
