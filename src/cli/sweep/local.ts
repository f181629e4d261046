/** Runs of a sweep on this machine, several at once, each on an engine of its own. */
import type { Engine } from "../../client/engineClient.ts";
import { shareOut } from "../../client/jobs.ts";
import { cancelled, NormscopeError } from "../../errors.ts";
import type { SweepPlan } from "../../present/sweep/plan.ts";
import type { SweepRun } from "../../present/sweep/results.ts";
import { keepError, keepResult } from "./folder.ts";
import { runOne } from "./runOne.ts";

export interface LocalSweep {
  readonly plan: SweepPlan;
  readonly folder: string;
  readonly runs: readonly SweepRun[];
  readonly jobs: number;
  readonly startEngine: () => Engine;
  readonly told: (run: SweepRun) => void;
}

/** A run that fails leaves its error; the others go on. Rejects only where nothing can go on. */
export function runLocally(sweep: LocalSweep): Promise<void> {
  const { plan, folder, runs, jobs, startEngine, told } = sweep;
  const engines = { jobs, start: startEngine, end: (engine: Engine) => engine.dispose() };
  return shareOut(runs, engines, async (run, engine) => {
    try {
      keepResult(folder, run, await runOne(engine, plan, run), plan.request.root);
    } catch (error) {
      if (error instanceof NormscopeError && error.code === cancelled().code) throw error;
      keepError(folder, run, error);
    }
    told(run);
  });
}
