/** The last sweep on disk: what it was asked, and a line for every run that has ended. */
import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SweepPlan } from "../present/sweep/plan.ts";
import type { SweepResult } from "../present/sweep/results.ts";
import type { SweepChoice } from "../protocol/sweepPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";

/** All that a sweep needs to go on, also in another window: its runs have the same text. */
export interface StoredSweep {
  readonly id: string;
  readonly configuration: RunConfiguration;
  readonly choice: SweepChoice;
  readonly plan: SweepPlan;
}

export interface SweepFiles {
  /** null: there is none, or it cannot be read. */
  last(): Promise<{
    readonly sweep: StoredSweep;
    readonly results: ReadonlyMap<number, SweepResult>;
  } | null>;
  /** Replaces the one before. */
  begin(sweep: StoredSweep): Promise<void>;
  keep(id: string, index: number, result: SweepResult): Promise<void>;
}

/** A file of another version is not read. */
const version = 1;

export function openSweepFiles(folder: string): SweepFiles {
  const planFile = join(folder, "sweep.json");
  const resultsOf = (id: string) => join(folder, `${id.replaceAll(/\W/g, "_")}.jsonl`);
  return {
    async last() {
      const sweep = await readPlan(planFile);
      if (sweep === null) return null;
      return { sweep, results: await readResults(resultsOf(sweep.id)) };
    },
    async begin(sweep) {
      const before = await readPlan(planFile);
      await mkdir(folder, { recursive: true });
      await writeFile(resultsOf(sweep.id), "");
      await writeFile(`${planFile}.new`, JSON.stringify({ version, sweep }));
      await rename(`${planFile}.new`, planFile);
      if (before !== null) await rm(resultsOf(before.id), { force: true });
    },
    keep: (id, index, result) =>
      appendFile(resultsOf(id), `${JSON.stringify({ index, result })}\n`),
  };
}

async function readPlan(file: string): Promise<StoredSweep | null> {
  try {
    const data: { version?: unknown; sweep?: StoredSweep } = JSON.parse(
      await readFile(file, "utf8"),
    );
    return data.version === version ? (data.sweep ?? null) : null;
  } catch {
    return null;
  }
}

/** A last line that was being written when the window ended is no line. */
async function readResults(file: string): Promise<Map<number, SweepResult>> {
  const text = await readFile(file, "utf8").catch(() => "");
  const results = new Map<number, SweepResult>();
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
    if (line === "") continue;
    const { index, result } = JSON.parse(line) as { index: number; result: SweepResult };
    results.set(index, result);
  }
  return results;
}
