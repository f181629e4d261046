/** Reports that are shown together, side by side. */
import type { RunReport } from "../protocol/report.ts";
import { type DepthProfile, depthProfiles } from "./depthProfiles.ts";
import type { LineRow } from "./lineTable.ts";

export interface ReportSide {
  /** What the reader calls it: "Pre-LN". */
  readonly name: string;
  readonly report: RunReport;
  readonly files: readonly FileLines[];
}

export interface FileLines {
  readonly title: string;
  readonly rows: readonly LineRow[];
}

/** One stack of blocks of one side. */
export interface StackSide {
  readonly name: string;
  readonly report: RunReport;
  readonly profile: DepthProfile;
}

/** The n-th stacks of all sides stand together. */
export function stackSides(sides: readonly ReportSide[]): StackSide[][] {
  const perSide = sides.map(({ name, report }) =>
    depthProfiles(report).map((profile): StackSide => ({ name, report, profile })),
  );
  const count = Math.max(0, ...perSide.map((own) => own.length));
  return Array.from({ length: count }, (_, position) =>
    perSide.flatMap((own) => own[position] ?? []),
  );
}

/**
 * Short names that tell reports apart: their placements, else their classes, else their files, else
 * their checkpoints, else their position.
 */
export function sideNames(reports: readonly RunReport[]): string[] {
  const candidates: ((report: RunReport) => string | null)[] = [
    (report) => depthProfiles(report)[0]?.placement ?? null,
    ({ source }) => source.entry,
    ({ source }) => source.file,
    weightsName,
  ];
  for (const nameOf of candidates) {
    const names = reports.map(nameOf).filter((name) => name !== null);
    if (names.length === reports.length && new Set(names).size === names.length) return names;
  }
  return reports.map((_, i) => String.fromCharCode("A".charCodeAt(0) + i));
}

/** "trained.safetensors"; "initial" for the weights that the seed makes. */
const weightsName = ({ source: { weights } }: RunReport): string =>
  weights ? (weights.file.split(/[\\/]/).at(-1) ?? weights.file) : "initial";
