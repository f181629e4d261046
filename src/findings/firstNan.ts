/** The first NaN of the forward pass, and what it was made of. */
import type { Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";

export function firstNan(evidence: Evidence): Finding[] {
  const first = evidence.values.find(({ report }) => report.activation.nan > 0);
  if (!first) return [];
  const { file, line, op, module, activation, shape } = first.report;
  const rows = maskedRowsAt(evidence, file, line);
  const cause =
    rows > 0
      ? `: the mask leaves no key to ${counted(rows, "row")}, and softmax of -inf alone is 0/0`
      : "";
  return [
    {
      code: "numbers/nan",
      severity: "error",
      message: `The first NaN of the forward pass: ${op} makes ${activation.nan} of ${activation.count}${cause}`,
      file,
      line,
      module,
      evidence: {
        nan: activation.nan,
        shape: `[${shape.join(", ")}]`,
        ...(rows > 0 && { "masked rows": rows }),
      },
    },
  ];
}

export const maskedRowsAt = ({ report }: Evidence, file: string, line: number): number =>
  report.attention
    .filter((one) => one.file === file && one.line === line)
    .flatMap(({ heads }) => heads)
    .reduce((sum, { maskedRows = 0 }) => sum + maskedRows, 0);
