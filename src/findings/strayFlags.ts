/** `requires_grad` of a module, or misspelled: no parameter knows of it. */
import type { Finding } from "../protocol/report.ts";
import type { Evidence } from "./evidence.ts";

export const strayFlags = ({ program }: Evidence): Finding[] =>
  program.missed.flatMap((miss): Finding[] => {
    if (miss.kind !== "stray") return [];
    const { file, line, condition, flag } = miss;
    const why =
      flag === "requires_grad"
        ? "a module has no such attribute, and its parameters do not look at it: module.requires_grad_(False)"
        : `there is no attribute ${flag}: requires_grad`;
    return [
      {
        code: "parameters/stray-flag",
        severity: "warning",
        message: `"${condition}" changes nothing, and what it was meant for goes on learning: ${why}`,
        ...{ file, line },
        module: null,
        evidence: { attribute: flag },
      },
    ];
  });
