/** One run of a sweep, on an engine. */
import type { Engine } from "../../client/engineClient.ts";
import { initMeasures, trainMeasures } from "../../present/sweep/measures.ts";
import { requestOfRun, type SweepPlan } from "../../present/sweep/plan.ts";
import type { SweepResult, SweepRun } from "../../present/sweep/results.ts";

export async function runOne(
  engine: Engine,
  plan: SweepPlan,
  run: SweepRun,
  signal?: AbortSignal,
): Promise<SweepResult> {
  const { request, training } = requestOfRun(plan, run);
  const options = signal === undefined ? {} : { signal };
  if (plan.kind === "init") return initMeasures(await engine.run(request, options));
  return trainMeasures(await engine.train({ ...request, training }, options));
}
