/** Findings and gaps as lines of text, the gravest first. */
import type { Finding, RunReport } from "../protocol/report.ts";
import { formatCount, formatNumber } from "./number.ts";

export interface Notice {
  readonly severity: Finding["severity"];
  readonly message: string;
  /** `file:line`, the module, or null where it concerns the whole model. */
  readonly place: string | null;
  readonly code: string;
  /** "ratio 4.10, limit 4.00": the numbers that the message rests on. */
  readonly evidence: string;
}

const order = { error: 0, warning: 1, information: 2 } as const;

export const findingNotices = (findings: readonly Finding[]): Notice[] =>
  findings.map((finding) => {
    const { severity, message, code, module } = finding;
    const place = finding.file === null ? module : `${finding.file}:${finding.line ?? 1}`;
    return { severity, message, place, code, evidence: evidenceOf(finding) };
  });

export function notices(report: RunReport): Notice[] {
  const findings = findingNotices(report.findings);
  const gaps = report.gaps.map(({ file, line, code, message }): Notice => {
    return { severity: "warning", message, place: `${file}:${line}`, code, evidence: "" };
  });
  const branches = report.branches.map(({ file, line, value, taken }): Notice => {
    const message = `Python looked at a computed number (${value}); this run went: ${taken}`;
    return {
      severity: "information",
      message,
      place: `${file}:${line}`,
      code: "trace/branch",
      evidence: "",
    };
  });
  return [...findings, ...gaps, ...branches, ...assumed(report), ...elsewhere(report)].sort(
    (a, b) => order[a.severity] - order[b.severity],
  );
}

/** What the run rests on and nobody said. */
const assumed = ({ assumptions = [] }: RunReport): Notice[] =>
  assumptions.map(({ file, line, message }) => ({
    severity: "information",
    message,
    place: `${file}:${line}`,
    code: "trace/assumed",
    evidence: "",
  }));

/** Nodes that the chosen device could not run: the numbers are right, the time is another's. */
const elsewhere = ({ device }: RunReport): Notice[] =>
  (device.elsewhere ?? []).map(({ provider, file, line, op, direction, nodes }) => ({
    severity: "information",
    message: `${nodes === 1 ? "A node" : `${nodes} nodes`} of ${op} (${direction}) ran on ${provider}, not on ${device.provider}`,
    place: `${file}:${line}`,
    code: "runtime/elsewhere",
    evidence: "",
  }));

/** "ratio 4.10, limit 4.00". */
export const evidenceOf = ({ evidence }: Finding): string =>
  Object.entries(evidence)
    .map(([name, it]) => `${name} ${typeof it === "number" ? amount(it) : it}`)
    .join(", ");

const amount = (num: number): string =>
  Number.isInteger(num) ? formatCount(num) : formatNumber(num);
