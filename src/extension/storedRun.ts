/** A run as it is kept: what was run, on which text, and what came of it. */
import { join } from "node:path";
import { depthProfiles } from "../present/depthProfiles.ts";
import type { MeasuredText } from "../present/fileNumbers.ts";
import type { RunReport } from "../protocol/report.ts";
import type { RunConfiguration, RunSummary } from "../protocol/webview.ts";

/** What the list of runs needs; the report is read when somebody looks at it. */
export interface RunHead {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly configuration: RunConfiguration;
  /** Absolute path of the folder that the report's files lie in. */
  readonly root: string;
  /** Absolute paths of the files that were measured. */
  readonly files: readonly string[];
  readonly facts: Omit<RunSummary, "id" | "name" | "at" | "isStale">;
}

export interface StoredRun {
  readonly head: RunHead;
  readonly report: RunReport;
  /** Absolute path → the text that was run. */
  readonly texts: Readonly<Record<string, string>>;
}

/** One run's view of a file, and which run it is. */
export interface MeasuredByRun extends MeasuredText {
  readonly stored: StoredRun;
}

export function storedRun(
  report: RunReport,
  what: Pick<RunHead, "id" | "at" | "configuration" | "root">,
  texts: StoredRun["texts"],
): StoredRun {
  const { file, entry } = report.source;
  const facts = {
    file,
    entry,
    placement: depthProfiles(report)[0]?.placement ?? null,
    loss: report.loss,
    device: report.device.provider,
    totalMs: report.timing.totalMs,
    findings: report.findings.length,
  };
  const head = { ...what, name: runName(report), files: Object.keys(texts), facts };
  return { head, report, texts };
}

/** "PreLNTransformer, n_layers=24": what was run, and what was not left as it is. */
function runName({ source }: RunReport): string {
  const args = Object.entries(source.args).map(
    ([name, it]) => `${name}=${typeof it === "string" ? it : JSON.stringify(it)}`,
  );
  return [source.entry ?? source.file, ...args].join(", ");
}

/** Absolute paths of the files that a report has numbers or findings for. */
export function measuredFiles(report: RunReport, root: string): string[] {
  const { values, modules, findings, gaps, branches } = report;
  const named = [values, modules, findings, gaps, branches].flatMap((items) =>
    items.map(({ file }) => file),
  );
  return [...new Set(named.filter((file) => file !== null))].map((file) => join(root, file));
}

/** The runs that measured this file, in the order given. */
export const measuredBy = (runs: readonly StoredRun[], path: string): MeasuredByRun[] =>
  runs.flatMap((stored): MeasuredByRun[] => {
    const own = Object.keys(stored.texts).find((it) => samePath(it, path));
    const text = own === undefined ? undefined : stored.texts[own];
    if (own === undefined || text === undefined) return [];
    return [{ stored, report: stored.report, file: fileInReport(stored.head, own), text }];
  });

/** Path of a measured file as the report has it: below the root, with forward slashes. */
export const fileInReport = ({ root }: Pick<RunHead, "root">, path: string): string =>
  path.slice(root.length).replaceAll("\\", "/").replace(/^\//, "");

/** Case does not matter where file systems usually have none. */
export function samePath(a: string, b: string, platform: NodeJS.Platform = process.platform) {
  if (a === b) return true;
  const ignoresCase = platform === "win32" || platform === "darwin";
  return ignoresCase && a.toLowerCase() === b.toLowerCase();
}

export const runSummary = ({ id, name, at, facts }: RunHead, isStale: boolean): RunSummary => ({
  id,
  name,
  at,
  ...facts,
  isStale,
});
