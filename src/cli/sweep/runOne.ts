/** One run of a sweep, on an engine. */
import type { Engine } from "../../client/engineClient.ts";
import { initMeasures, trainMeasures } from "../../present/sweep/measures.ts";
import { requestOfRun, type SweepPlan } from "../../present/sweep/plan.ts";
import type { SweepResult, SweepRun } from "../../present/sweep/results.ts";
import type { RunReport } from "../../protocol/report.ts";

/** What a run measured, and the Python files that it is of: paths below the root, with slashes. */
export interface MeasuredRun {
  readonly result: SweepResult;
  readonly files: readonly string[];
}

export async function runOne(engine: Engine, plan: SweepPlan, run: SweepRun): Promise<MeasuredRun> {
  const { request, training } = requestOfRun(plan, run);
  if (plan.kind === "init") {
    const report = await engine.run(request);
    return { result: initMeasures(report), files: filesOf(request.file, report) };
  }
  const report = await engine.train({ ...request, training });
  return { result: trainMeasures(report), files: report.files };
}

function filesOf(own: string, { values, modules }: RunReport): string[] {
  const found = [...values, ...modules].map(({ file }) => file);
  return [...new Set([own, ...found.filter((file) => file !== null)])];
}
