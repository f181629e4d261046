/** A sweep's folder: its plan, a file for each finished run, and one for each that failed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { wrongUsage } from "../../errors.ts";
import type { SweepPlan } from "../../present/sweep/plan.ts";
import type { SweepOutcome, SweepResult, SweepRun } from "../../present/sweep/results.ts";
import { type ErrorData, errorData } from "../../protocol/engine.ts";
import { outputFiles } from "../outputFiles.ts";
import type { MeasuredRun } from "./runOne.ts";

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
    throw wrongUsage(
      `'${folder}' holds another sweep${differenceOf(readSweep(folder), plan)}`,
      "Give --out another folder, or the options of that sweep",
    );
  }
  writeWhole(path, text);
}

/** ": its seeds are 2, and not 3"; the first three of what differs, by the names of the plan's fields. */
function differenceOf(there: SweepPlan, asked: SweepPlan): string {
  const [own, other] = [settingsOf(there), settingsOf(asked)];
  const names = [...new Set([...Object.keys(own), ...Object.keys(other)])];
  const differing = names.filter((name) => own[name] !== other[name]).slice(0, 3);
  const told = differing.map(
    (name) => `${name} ${own[name] ?? "nothing"} there and ${other[name] ?? "nothing"} here`,
  );
  return told.length === 0 ? "" : `: ${told.join("; ")}`;
}

/** Each setting as text, by its path in the plan; the runs as the values of their axes and the count of seeds. */
function settingsOf({ kind, request, training, runs }: SweepPlan): Record<string, string> {
  const axes = [...new Set(runs.flatMap(({ choices }) => Object.keys(choices)))];
  const valuesOf = (axis: string) => [...new Set(runs.map(({ choices }) => choices[axis]))];
  return {
    measure: kind,
    seeds: `${new Set(runs.map(({ seed }) => seed)).size}`,
    ...Object.fromEntries(axes.map((axis) => [`--over ${axis}`, valuesOf(axis).join(",")])),
    ...leavesOf({ ...request, ...(kind === "train" ? { training } : {}) }),
  };
}

const leavesOf = (value: object, path = ""): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      one !== null && typeof one === "object"
        ? Object.entries(leavesOf(one, `${path}${key}.`))
        : [[`${path}${key}`, JSON.stringify(one) ?? "nothing"]],
    ),
  );

export const readSweep = (folder: string): SweepPlan =>
  JSON.parse(readFileSync(join(folder, planFile), "utf8")) as SweepPlan;

/** `root`: what the run's files are below. */
export function keepResult(
  folder: string,
  run: SweepRun,
  { result, files }: MeasuredRun,
  root: string,
): void {
  const texts = Object.fromEntries(files.map((file) => [file, digestOf(join(root, file))]));
  writeWhole(resultPath(folder, run), `${JSON.stringify({ run, ...result, texts })}\n`);
  forgetError(folder, run);
}

/** Before a run is made again: what it left then says nothing of now. */
export const forgetError = (folder: string, run: SweepRun): void =>
  rmSync(errorPath(folder, run), { force: true });

/** Throws where runs that are there are of other texts of the model's files than those of now. */
export function refuseOtherTexts(folder: string, { runs, request }: SweepPlan): void {
  const texts = runs.flatMap((run) => Object.entries(keptOf(folder, run)?.texts ?? {}));
  const now = new Map(texts.map(([file]) => [file, ""]));
  for (const file of now.keys()) now.set(file, digestOf(join(request.root, file)));
  const edited = [...now.keys()].filter((file) =>
    texts.some(([of, digest]) => of === file && digest !== now.get(file)),
  );
  if (edited.length > 0)
    throw wrongUsage(
      `'${folder}' holds runs of another text of ${edited.join(", ")}`,
      `Give --out another folder, or remove ${join(folder, "runs")} and run all of them again`,
    );
}

/** "": there is no such file. */
function digestOf(path: string): string {
  if (!existsSync(path)) return "";
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

export function keepError(folder: string, run: SweepRun, error: unknown): void {
  const { stack: _, ...data } = errorData(error);
  writeWhole(errorPath(folder, run), `${JSON.stringify({ run, ...data })}\n`);
}

interface KeptRun extends SweepResult {
  /** SHA-256 of the files that it is of, by path below the root. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** null: not finished yet, failed, or damaged. */
function keptOf(folder: string, run: SweepRun): KeptRun | null {
  const path = resultPath(folder, run);
  if (!existsSync(path)) return null;
  try {
    const kept = JSON.parse(readFileSync(path, "utf8")) as KeptRun;
    return typeof kept.measures === "object" ? kept : null;
  } catch {
    return null;
  }
}

/** null: to be run. */
export function resultOf(folder: string, run: SweepRun): SweepResult | null {
  const kept = keptOf(folder, run);
  return kept && { measures: kept.measures, placement: kept.placement };
}

export function errorOf(folder: string, run: SweepRun): Omit<ErrorData, "stack"> | null {
  const path = errorPath(folder, run);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ErrorData) : null;
}

export const outcomesOf = (folder: string, runs: readonly SweepRun[]): SweepOutcome[] =>
  runs.map((run) => ({ run, result: resultOf(folder, run) }));

/** A reader sees all of it or nothing. */
const writeWhole = (path: string, text: string): void => outputFiles().write(path, text);
