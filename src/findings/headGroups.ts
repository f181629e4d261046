/** Grouped queries whose heads take keys from one group and values from another, or other positions. */
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const headGroups = ({ operandFaults }: Evidence): Finding[] =>
  oncePerLine(
    operandFaults.flatMap(({ attention, fault, call }): Finding[] => {
      if (fault.kind === "mixed")
        return [
          {
            code: "attention/head-groups",
            severity: "error",
            message: `${fault.op} repeats along the positions and not along the heads: at one place heads have the numbers of different positions`,
            ...callPlace(call),
            evidence: { "attention line": attention.call.site.line },
          },
        ];
      if (fault.kind !== "groups") return [];
      const [keys, values] = [fault.keys, fault.values].map((groups) =>
        groups.slice(0, attention.heads).join(", "),
      ) as [string, string];
      return [
        {
          code: "attention/head-groups",
          severity: "error",
          message: `Heads take keys from the groups ${keys} and values from ${values}: one is repeated head by head (repeat_interleave) and the other as a whole (repeat)`,
          ...callPlace(call),
          evidence: { keys, values },
        },
      ];
    }),
  );
