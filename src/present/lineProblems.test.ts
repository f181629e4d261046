import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import type { RunReport } from "../protocol/report.ts";
import { lineProblems, trainingProblems } from "./lineProblems.ts";
import { silenceComment, silenceFileComment } from "./silence.ts";

const finding = (code: string, line: number | null, file = "pre.py") => ({
  code,
  severity: "warning" as const,
  message: "The stream grows",
  file,
  line,
  module: "blocks.3",
  evidence: { ratio: 4.1, limit: 4 },
});
const report: RunReport = {
  ...preReport(),
  findings: [finding("NS1", 2), finding("NS2", 2), finding("NS1", 3), finding("NS1", 1, "b.py")],
  gaps: [{ file: "pre.py", line: 1, code: "trace/unsupported", message: "no" }],
  branches: [{ file: "pre.py", line: 3, value: "True", taken: "then" }],
};
const codes = (text: string, silenced: string[] = []) =>
  lineProblems(report, "pre.py", text, silenced).map(({ line, code }) => `${line} ${code}`);

test("findings, gaps and decisions of the file, with their evidence", () => {
  expect(codes("")).toEqual(["2 NS1", "2 NS2", "3 NS1", "1 trace/unsupported", "3 trace/branch"]);
  expect(lineProblems(report, "pre.py", "", [])[0]?.message).toBe(
    "The stream grows (ratio 4.10, limit 4)",
  );
});

test("findings of training are those of the file, and are silenced as all others", () => {
  const finding = {
    severity: "warning",
    message: "slow",
    module: "a",
    evidence: { ratio: 2 },
  } as const;
  const findings = [
    { ...finding, code: "training/small-updates", file: "pre.py", line: 2 },
    { ...finding, code: "training/unlearnt", file: "other.py", line: 3 },
  ];
  const of = (text: string) => trainingProblems(findings, "pre.py", text, []);
  expect(of("a\nb")).toMatchObject([{ line: 2, message: "slow (ratio 2)" }]);
  expect(of(`a\nb ${silenceComment("training/small-updates")}`)).toEqual([]);
});

test("a comment silences its line, or its file", () => {
  expect(codes(`a\nb  ${silenceComment("NS1")}\nc`)).not.toContain("2 NS1");
  expect(codes(`a\nb  ${silenceComment("NS1")}\nc`)).toContain("3 NS1");
  expect(codes("a\nb  # normscope: ignore[NS1, NS2]\nc")).toEqual([
    "3 NS1",
    "1 trace/unsupported",
    "3 trace/branch",
  ]);
  expect(codes(silenceFileComment("NS1")).filter((it) => it.endsWith("NS1"))).toEqual([]);
});

test("a setting silences everywhere", () => {
  expect(codes("", ["NS1", "trace/branch"])).toEqual(["2 NS2", "1 trace/unsupported"]);
});
