/** A model and the findings of its last run, as the Testing view lists them. */
import { join } from "node:path";
import { evidenceOf } from "../present/findings.ts";
import { lineProblems } from "../present/lineProblems.ts";
import type { Finding } from "../protocol/report.ts";
import { fileInReport, type StoredRun } from "./storedRun.ts";

export interface FindingItem {
  /** The same for the same finding of another run. */
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly module: string | null;
  /** An information is listed and passes. */
  readonly isFailure: boolean;
  /** Absolute path and one-based line; null where it concerns the whole model. */
  readonly place: { readonly path: string; readonly line: number } | null;
}

/** In every file that was measured, without those that the user silenced. */
export function findingItems(
  { head, report, texts }: StoredRun,
  silenced: readonly string[],
): FindingItem[] {
  const onLines = Object.entries(texts).flatMap(([path, text]) =>
    lineProblems(report, fileInReport(head, path), text, silenced).map(({ line, ...it }) => ({
      ...it,
      place: { path, line },
    })),
  );
  const ofModel = report.findings
    .filter((it) => (it.file === null || it.line === null) && !silenced.includes(it.code))
    .map((it) => ({ ...it, message: withEvidence(it), place: placeOf(it, head.root) }));
  const seen = new Map<string, number>();
  return [...onLines, ...ofModel].map(({ code, message, module, severity, place }) => {
    const name = `${code} ${module ?? ""} ${place?.path ?? ""}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    const isFailure = severity !== "information";
    return { id: `${name} ${nth}`, code, message, module, isFailure, place };
  });
}

const placeOf = ({ file }: Finding, root: string): FindingItem["place"] =>
  file === null ? null : { path: join(root, file), line: 1 };

function withEvidence(finding: Finding): string {
  const evidence = evidenceOf(finding);
  return evidence === "" ? finding.message : `${finding.message} (${evidence})`;
}
