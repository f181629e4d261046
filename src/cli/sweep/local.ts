/** Runs of a sweep on this machine, several at once, each on an engine of its own. */
import { availableParallelism, freemem } from "node:os";
import type { Engine } from "../../client/engineClient.ts";
import { cancelled, NormscopeError } from "../../errors.ts";
import type { SweepPlan } from "../../present/sweep/plan.ts";
import type { SweepRun } from "../../present/sweep/results.ts";
import { keepError, keepResult } from "./folder.ts";
import { runOne } from "./runOne.ts";

/** Python, the runtime and a small model; a large one needs --jobs. */
const bytesOfEngine = 700e6;

export function jobsFor(asked: number | undefined): number {
  if (asked !== undefined) return asked;
  return Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / bytesOfEngine)));
}

export interface LocalSweep {
  readonly plan: SweepPlan;
  readonly folder: string;
  readonly runs: readonly SweepRun[];
  readonly jobs: number;
  readonly startEngine: () => Engine;
  readonly told: (run: SweepRun) => void;
}

/** A run that fails leaves its error; the others go on. Rejects only where nothing can go on. */
export async function runLocally(sweep: LocalSweep): Promise<void> {
  const { plan, folder, runs, jobs, startEngine, told } = sweep;
  const waiting = [...runs];
  const worker = async (): Promise<void> => {
    const engine = startEngine();
    try {
      for (let run = waiting.shift(); run; run = waiting.shift()) {
        try {
          keepResult(folder, run, await runOne(engine, plan, run));
        } catch (error) {
          if (error instanceof NormscopeError && error.code === cancelled().code) throw error;
          keepError(folder, run, error);
        }
        told(run);
      }
    } finally {
      await engine.dispose();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, runs.length) }, worker));
}
