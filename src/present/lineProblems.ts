/** Findings and gaps of a file as an editor lists them, without those that the user silenced. */
import type { Finding, RunReport } from "../protocol/report.ts";
import { evidenceOf } from "./findings.ts";
import { silencing } from "./silence.ts";

export interface LineProblem {
  /** One-based. */
  readonly line: number;
  readonly severity: Finding["severity"];
  readonly code: string;
  /** With the numbers that it rests on. */
  readonly message: string;
  readonly module: string | null;
}

/** Of a run of training. */
export function trainingProblems(
  findings: readonly Finding[],
  file: string,
  text: string,
  silenced: readonly string[],
): LineProblem[] {
  const isSilenced = silencing(text, silenced);
  return findingProblems(findings, file).filter((it) => !isSilenced(it));
}

const findingProblems = (findings: readonly Finding[], file: string): LineProblem[] =>
  findings.flatMap((finding) => {
    const { line, code, severity, module } = finding;
    if (finding.file !== file || line === null) return [];
    const evidence = evidenceOf(finding);
    const message = evidence === "" ? finding.message : `${finding.message} (${evidence})`;
    return [{ line, severity, code, message, module }];
  });

export function lineProblems(
  report: RunReport,
  file: string,
  text: string,
  silenced: readonly string[],
): LineProblem[] {
  const isSilenced = silencing(text, silenced);
  const findings = findingProblems(report.findings, file);
  const gaps = report.gaps
    .filter((gap) => gap.file === file)
    .map(
      ({ line, code, message }): LineProblem => ({
        line,
        severity: "warning",
        code,
        message,
        module: null,
      }),
    );
  const branches = report.branches
    .filter((branch) => branch.file === file)
    .map(
      ({ line, value, taken }): LineProblem => ({
        line,
        severity: "information",
        code: "trace/branch",
        message: `Python looked at a computed number (${value}); this run went: ${taken}`,
        module: null,
      }),
    );
  const assumed = (report.assumptions ?? [])
    .filter((assumption) => assumption.file === file)
    .map(
      ({ line, message }): LineProblem => ({
        line,
        severity: "information",
        code: "trace/assumed",
        message,
        module: null,
      }),
    );
  return [...findings, ...gaps, ...branches, ...assumed].filter((it) => !isSilenced(it));
}
