/** A report with the numbers of one block of a stack in place of all of them: a pinned layer. */
import type { RunReport } from "../protocol/report.ts";
import { isWithin, parentOf } from "./blocks.ts";

/** Values of the other blocks of the stack are left out; what lies outside of the stack stays. */
export function onlyLayer(report: RunReport, path: string): RunReport {
  const stack = parentOf(path);
  const others = report.blocks
    .map((block) => block.path)
    .filter((other) => other !== path && parentOf(other) === stack);
  if (!report.blocks.some((block) => block.path === path)) return report;
  const isElsewhere = (module: string | null) =>
    module !== null && others.some((other) => isWithin(module, other));
  return {
    ...report,
    values: report.values.filter(({ module }) => !isElsewhere(module)),
    modules: report.modules.filter((module) => !isElsewhere(module.path)),
  };
}
