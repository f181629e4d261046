/** Queries that a mask leaves no key. */
import type { Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const maskedRows = ({ report }: Evidence): Finding[] =>
  oncePerLine(
    report.attention.flatMap(({ heads, file, line, path }): Finding[] => {
      const rows = heads.reduce((sum, head) => sum + (head.maskedRows ?? 0), 0);
      if (rows === 0) return [];
      const isNan = heads.some(({ minRowSum }) => minRowSum === "NaN");
      const gives = isNan ? "softmax makes NaN of it" : "attention gives 0 there";
      return [
        {
          code: "attention/masked-rows",
          severity: "warning",
          message: `The mask leaves no key to ${counted(rows, "row")} (over samples and heads): ${gives}`,
          file,
          line,
          module: path,
          evidence: { rows, gives: isNan ? "NaN" : "0" },
        },
      ];
    }),
  );
