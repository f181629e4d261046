/** What a check found, in the form that every output is made of. */
import type { Finding } from "../../protocol/report.ts";
import { formatNumber } from "../number.ts";
import type { Drift } from "./baseline.ts";

export interface Verdict {
  readonly model: string;
  /** Of Normscope. */
  readonly version: string;
  readonly issues: readonly Issue[];
  /** How many statistics were compared with the baseline; null: there is none. */
  readonly compared: number | null;
}

export interface Issue {
  /** "norm/no-final", "baseline/forward". */
  readonly code: string;
  readonly severity: Finding["severity"];
  readonly message: string;
  /** Relative to where the command runs, with forward slashes. */
  readonly file: string | null;
  readonly line: number | null;
  /** Known to the baseline, or below the severity that fails. */
  readonly passes: boolean;
}

const rank = { information: 0, warning: 1, error: 2 } as const;

export type FailOn = Finding["severity"] | "never";

export function findingIssue(finding: Finding, isNew: boolean, failOn: FailOn): Issue {
  const { code, severity, message, file, line } = finding;
  const isGrave = failOn !== "never" && rank[severity] >= rank[failOn];
  return { code, severity, message, file, line, passes: !isNew || !isGrave };
}

export function driftIssue({ statistic, name, was, is, relative, tolerance }: Drift): Issue {
  const far = relative === null ? "" : `, off by ${formatNumber(relative)} (limit ${tolerance})`;
  const [before, after] = [was, is].map((num) => (num === null ? "nothing" : formatNumber(num)));
  const what =
    statistic === "loss"
      ? "loss"
      : `${statisticText(statistic)} of ${name === "" ? "the model" : name}`;
  return {
    code: `baseline/${statistic.replace(".", "-")}`,
    severity: "error",
    message: `${what} was ${before}, is ${after}${far}`,
    file: null,
    line: null,
    passes: false,
  };
}

/** "forward RMS", "gradient max". */
const statisticText = (statistic: string): string => {
  const [side = "", measure = "RMS"] = statistic.split(".");
  return `${side} ${measure}`;
};

export const failures = ({ issues }: Verdict): Issue[] => issues.filter(({ passes }) => !passes);
