/** A sweep's folder: its plan, a file for each finished run, and one for each that failed. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { wrongUsage } from "../../errors.ts";
import type { SweepPlan } from "../../present/sweep/plan.ts";
import type { SweepOutcome, SweepResult, SweepRun } from "../../present/sweep/results.ts";
import { type ErrorData, errorData } from "../../protocol/engine.ts";
import { outputFiles } from "../outputFiles.ts";

const planFile = "sweep.json";
const nameOf = ({ index }: SweepRun): string => String(index).padStart(5, "0");
const resultPath = (folder: string, run: SweepRun): string =>
  join(folder, "runs", `${nameOf(run)}.json`);
const errorPath = (folder: string, run: SweepRun): string =>
  join(folder, "runs", `${nameOf(run)}.error.json`);

/** Throws where the folder holds another sweep. */
export function openSweep(folder: string, plan: SweepPlan): void {
  const path = join(folder, planFile);
  const text = `${JSON.stringify(plan, null, 1)}\n`;
  if (existsSync(path)) {
    if (readFileSync(path, "utf8") === text) return;
    throw wrongUsage(`'${folder}' holds another sweep: give --out another folder`);
  }
  writeWhole(path, text);
}

export const readSweep = (folder: string): SweepPlan =>
  JSON.parse(readFileSync(join(folder, planFile), "utf8")) as SweepPlan;

export function keepResult(folder: string, run: SweepRun, result: SweepResult): void {
  writeWhole(resultPath(folder, run), `${JSON.stringify({ run, ...result })}\n`);
  rmSync(errorPath(folder, run), { force: true });
}

export function keepError(folder: string, run: SweepRun, error: unknown): void {
  const { stack: _, ...data } = errorData(error);
  writeWhole(errorPath(folder, run), `${JSON.stringify({ run, ...data })}\n`);
}

/** null: not finished yet, or failed. */
export function resultOf(folder: string, run: SweepRun): SweepResult | null {
  const path = resultPath(folder, run);
  if (!existsSync(path)) return null;
  const { measures, placement } = JSON.parse(readFileSync(path, "utf8")) as SweepResult;
  return { measures, placement };
}

export function errorOf(folder: string, run: SweepRun): Omit<ErrorData, "stack"> | null {
  const path = errorPath(folder, run);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ErrorData) : null;
}

export const outcomesOf = (folder: string, runs: readonly SweepRun[]): SweepOutcome[] =>
  runs.map((run) => ({ run, result: resultOf(folder, run) }));

/** A reader sees all of it or nothing. */
const writeWhole = (path: string, text: string): void => outputFiles().write(path, text);
