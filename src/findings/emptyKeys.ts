/** Slots of a cache that nothing wrote and that queries give weight to. */
import type { Finding } from "../protocol/report.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const emptyKeys = ({ operandFaults }: Evidence): Finding[] =>
  oncePerLine(
    operandFaults.flatMap(({ fault, call }): Finding[] => {
      if (fault.kind !== "empty") return [];
      const { slots, keys, queries } = fault;
      const shown = slots.slice(0, 6).join(", ");
      return [
        {
          code: "attention/empty-keys",
          severity: "warning",
          message: `${queries === 1 ? "A query gives" : `${queries} queries give`} weight to ${counted(slots.length, "key")} of ${keys} that nothing wrote (${slots.length === 1 ? "slot" : "slots"} ${shown}${slots.length > 6 ? ", …" : ""}): they are 0 whatever the tokens are, and take their share of softmax`,
          ...callPlace(call),
          evidence: { slots: shown, keys, queries },
        },
      ];
    }),
  );
