/** Runs of a sweep on a cluster: one array job, whose tasks each write one result file. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { NormscopeError, slurmFailed } from "../../errors.ts";
import type { SweepRun } from "../../present/sweep/results.ts";
import { errorOf, resultOf } from "./folder.ts";

export interface SlurmSweep {
  readonly folder: string;
  readonly runs: readonly SweepRun[];
  /** The command that does one task: its last argument is the index of the run. */
  readonly command: readonly string[];
  /** Further options of sbatch: "--partition=cpu". */
  readonly options: readonly string[];
  readonly told: (run: SweepRun) => void;
  readonly pollMs: number;
}

/** Looks that may fail one after another: a controller that is busy or restarts answers again. */
const patience = 10;

/** Resolves when the job is gone from the queue; what has no result then has failed. */
export async function runOnSlurm(sweep: SlurmSweep): Promise<void> {
  const { folder, runs, told, pollMs } = sweep;
  const job = await submit(sweep);
  const waiting = new Set(runs);
  for (let isQueued = true, failed = 0; isQueued && waiting.size > 0; ) {
    try {
      isQueued = await inQueue(job);
      failed = 0;
    } catch (error) {
      failed++;
      if (failed === patience) throw error;
    }
    if (isQueued) await sleep(pollMs);
    for (const run of waiting)
      if (resultOf(folder, run) !== null || errorOf(folder, run) !== null) {
        waiting.delete(run);
        told(run);
      }
  }
}

async function submit({ folder, runs, command, options }: SlurmSweep): Promise<string> {
  const script = join(folder, "job.sh");
  mkdirSync(join(folder, "logs"), { recursive: true });
  const words = command.map(quoted).join(" ");
  writeFileSync(script, `#!/bin/sh\nexec ${words} "$SLURM_ARRAY_TASK_ID"\n`, { mode: 0o755 });
  const array = `--array=${ranges(runs.map(({ index }) => index))}`;
  const output = `--output=${join(folder, "logs", "%a.txt")}`;
  const args = ["--parsable", "--job-name=normscope", array, output, ...options, script];
  const id = (await slurm("sbatch", args)).trim().split(";")[0] ?? "";
  if (!/^\d+$/.test(id)) throw slurmFailed("sbatch", `it answered '${id}'`);
  return id;
}

/** A job that the controller no longer knows is not in the queue. */
async function inQueue(job: string): Promise<boolean> {
  try {
    return (await slurm("squeue", ["--noheader", `--jobs=${job}`, "--format=%i"])).trim() !== "";
  } catch (error) {
    if (error instanceof NormscopeError && /invalid job id/i.test(error.message)) return false;
    throw error;
  }
}

async function slurm(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args)).stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message?: string };
    throw slurmFailed(program, (stderr || message || "it failed").trim());
  }
}

/** "0-3,7". */
export function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const at of numbers.toSorted((a, b) => a - b)) {
    const last = parts.at(-1);
    if (last && at <= last[1] + 1) last[1] = at;
    else parts.push([at, at]);
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/** A word of a shell's command. */
export const quoted = (word: string): string =>
  /^[\w./:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
