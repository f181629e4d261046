/** A report as a short text, for a reader who asks about it in words. */
import type { RunReport } from "../protocol/report.ts";
import { isWithin } from "./blocks.ts";
import { depthProfiles } from "./depthProfiles.ts";
import { notices } from "./findings.ts";
import { lineNotes } from "./lineNotes.ts";
import { formatNumber } from "./number.ts";
import { summary } from "./summary.ts";

export interface DigestScope {
  /** Only lines of this file. */
  readonly file?: string | undefined;
  /** Only modules at or below this path. */
  readonly module?: string | undefined;
}

/** Beyond these, the reader is told to narrow the scope. */
const shownLines = 80;
const shownModules = 60;

export function reportDigest(report: RunReport, { file, module }: DigestScope = {}): string {
  const facts = summary(report).map(({ label, text }) => `${label}: ${text}`);
  return [
    ...facts,
    ...(module === undefined ? depthLines(report) : moduleLines(report, module)),
    ...sourceLines(report, file),
    ...findingLines(report),
  ].join("\n");
}

const depthLines = (report: RunReport): string[] =>
  depthProfiles(report).flatMap(({ stack, placement, series }) => [
    "",
    `Over the blocks of ${stack} (${placement}), first to last:`,
    ...series.map(
      ({ label, definition, values }) =>
        `- ${label} (${definition}): ${values.map((num) => (num === null ? "–" : formatNumber(num))).join(" ")}`,
    ),
  ]);

function moduleLines(report: RunReport, ancestor: string): string[] {
  const modules = report.modules.filter(({ path }) => isWithin(path, ancestor));
  return [
    "",
    `Modules of ${ancestor}: RMS of the last call's output, and of its gradient`,
    ...limited(
      modules.map(({ path, class: name, calls }) => {
        const last = calls.at(-1);
        const forward = last?.activation[0]?.rms ?? null;
        const gradient = last?.gradient[0]?.rms ?? null;
        return `- ${path} ${name}: ${[forward, gradient].map((num) => (num === null ? "–" : formatNumber(num))).join(" ")}`;
      }),
      shownModules,
    ),
  ];
}

function sourceLines(report: RunReport, only: string | undefined): string[] {
  const files = [...new Set(report.values.map(({ file }) => file))];
  const wanted = files.filter((file) => only === undefined || file.endsWith(only));
  return wanted.flatMap((file) => [
    "",
    `Lines of ${file}: → RMS of the value, ← of its gradient, first layer…last`,
    ...limited(
      lineNotes(report, file).map(({ line, text }) => `${line}: ${text}`),
      shownLines,
    ),
  ]);
}

function findingLines(report: RunReport): string[] {
  const found = notices(report);
  if (found.length === 0) return ["", "No findings."];
  return [
    "",
    "Findings:",
    ...found.map(({ severity, code, place, message, evidence }) =>
      [`- ${severity} ${code}`, place ?? "", message, evidence]
        .filter((part) => part !== "")
        .join("; "),
    ),
  ];
}

const limited = (lines: readonly string[], limit: number): string[] =>
  lines.length <= limit
    ? [...lines]
    : [...lines.slice(0, limit), `(${lines.length - limit} more: ask for one file or module)`];
