/** Norms of queries or keys over another axis than their own width. */
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const operandNorms = ({ operandFaults }: Evidence): Finding[] =>
  oncePerLine(
    operandFaults.flatMap(({ attention, fault, call }): Finding[] => {
      if (fault.kind !== "norm") return [];
      const { of, over } = fault;
      const why =
        over === "positions"
          ? "a row then depends on all other positions, later ones among them"
          : "heads then depend on each other, and their rows have no common length";
      return [
        {
          code: "attention/norm-axis",
          severity: "error",
          message: `The norm of ${of} runs over ${over} and not over the ${attention.headWidth} numbers of a row: ${why}`,
          ...callPlace(call),
          evidence: { of, over, "attention line": attention.call.site.line },
        },
      ];
    }),
  );
