/** Puts together what the rules look at. */
import type { RunReport } from "../protocol/report.ts";
import type { BlockSpread } from "../stats/blockSpread.ts";
import { findCached } from "../stats/cachedKeys.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import { findPadding } from "../stats/padding.ts";
import { reportedValues } from "../stats/report.ts";
import { findOperandFaults } from "../stats/rotary.ts";
import type { Structure } from "../stats/structure.ts";
import type { TracedProgram } from "../trace/program.ts";
import type { Evidence, Measured } from "./evidence.ts";
import { limitsWith } from "./limits.ts";

export interface Gathered {
  readonly report: Omit<RunReport, "findings">;
  readonly program: TracedProgram;
  readonly structure: Structure;
  readonly spreads: readonly BlockSpread[];
  readonly modelSpreads: readonly ModelSpread[];
  readonly limits: Readonly<Record<string, number>> | undefined;
  textOf(file: string): string | null;
}

export function gather(parts: Gathered): Evidence {
  const { report, program, structure, textOf } = parts;
  const values = reportedValues(program).flatMap((traced, at): Measured[] => {
    const value = report.values[at];
    return value ? [{ report: value, traced }] : [];
  });
  const bySource = new Map<number, Measured>();
  for (const value of values) {
    const { id } = structure.sourceOf(value.traced.value).value;
    if (!bySource.has(id)) bySource.set(id, value);
  }
  return {
    ...{ report, program, structure, values, bySource, textOf },
    spreads: parts.spreads,
    modelSpreads: parts.modelSpreads,
    padding: findPadding(program, structure),
    operandFaults: findOperandFaults(structure),
    cached: findCached(structure),
    limits: limitsWith(parts.limits),
  };
}
