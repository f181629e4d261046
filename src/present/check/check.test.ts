import { expect, test } from "vitest";
import { preReport } from "../../../test/fixtures/reports.ts";
import type { Finding, RunReport } from "../../protocol/report.ts";
import { annotations } from "./annotations.ts";
import {
  type Baseline,
  baselineFault,
  defaultTolerances,
  driftFrom,
  makeBaseline,
  newFindings,
} from "./baseline.ts";
import { junit } from "./junit.ts";
import { sarif } from "./sarif.ts";
import { driftIssue, failures, findingIssue, type Verdict } from "./verdict.ts";

const finding: Finding = {
  code: "norm/no-final",
  severity: "warning",
  message: 'grows 1 → 4, & "more"\n100 %',
  file: "a,b.py",
  line: 7,
  module: "head",
  evidence: {},
};
const report: RunReport = { ...preReport(), findings: [finding] };
const baseline = makeBaseline(report, "pre.py:A");

test("a run has no drift from its own baseline, through JSON as well", () => {
  const read: unknown = JSON.parse(JSON.stringify(baseline));
  expect(baselineFault(read)).toBeNull();
  expect(driftFrom(read as Baseline, baseline, defaultTolerances)).toEqual([]);
  expect(baselineFault({ schema: 1, modules: [] })).toBe("has no parameters");
});

test("each statistic has its own tolerance; what is gone or not finite is told", () => {
  const [first] = Object.keys(baseline.parameters);
  const pair = baseline.parameters[first ?? ""];
  const changed = {
    ...baseline,
    loss: Number(baseline.loss) * 1.0005,
    parameters: {
      ...baseline.parameters,
      [first ?? ""]: { forward: Number(pair?.forward) * 1.002, gradient: "NaN" as const },
    },
  };
  const drifts = driftFrom(baseline, changed, defaultTolerances);
  expect(drifts.map(({ statistic, name }) => [statistic, name])).toEqual([
    ["forward", first],
    ["gradient", first],
  ]);
  expect(drifts[0]?.relative).toBeCloseTo(0.002, 6);
  expect(drifts[1]?.relative).toBeNull();
  expect(driftFrom(baseline, changed, { loss: 1e-4, forward: 1, gradient: 1 })).toHaveLength(2);
  const { [first ?? ""]: _, ...fewer } = baseline.parameters;
  const gone = driftFrom(baseline, { ...baseline, parameters: fewer }, defaultTolerances);
  expect(gone.every(({ is }) => is === null)).toBe(true);
});

test("other statistics drift by a tolerance of their own, else by their side's", () => {
  const [first = ""] = Object.keys(baseline.parameters);
  const pair = baseline.parameters[first];
  const widest = { ...pair?.others, "forward.max": Number(pair?.others?.["forward.max"]) * 1.01 };
  const changed = {
    ...baseline,
    parameters: {
      ...baseline.parameters,
      [first]: { forward: null, gradient: null, ...pair, others: widest },
    },
  };
  const drifts = driftFrom(baseline, changed, defaultTolerances);
  expect(drifts.map(({ statistic, name }) => [statistic, name])).toEqual([["forward.max", first]]);
  const loose = { ...defaultTolerances, "forward.max": 0.02 };
  expect(driftFrom(baseline, changed, loose)).toEqual([]);
  expect(drifts.map(driftIssue)[0]?.message).toContain(`forward max of ${first} was`);
  const { others: _, ...older } = pair ?? { forward: null, gradient: null };
  const old = { ...baseline, parameters: { ...baseline.parameters, [first]: older } };
  expect(driftFrom(old, changed, defaultTolerances)).toEqual([]);
});

test("a known finding stands for one, wherever its line went", () => {
  const moved = { ...finding, line: 99 };
  expect(newFindings([moved], baseline.findings)).toEqual([]);
  expect(newFindings([moved, finding], baseline.findings)).toEqual([finding]);
});

test("a known finding of a file that is gone stands for the same of another file", () => {
  const renamed = { ...finding, file: "renamed.py" };
  expect(newFindings([renamed], baseline.findings, ["renamed.py"])).toEqual([]);
  const both = ["renamed.py", finding.file ?? ""];
  expect(newFindings([renamed], baseline.findings, both)).toEqual([renamed]);
});

test("says what of a file is no baseline", () => {
  expect(baselineFault(baseline)).toBeNull();
  expect(baselineFault(null)).toBe("holds no object");
  expect(baselineFault({ ...baseline, schema: 2 })).toBe("has the schema 2, and 1 is needed");
  expect(baselineFault({ ...baseline, findings: null })).toBe("has no findings");
});

test("only new findings of enough gravity fail", () => {
  expect(findingIssue(finding, true, "warning").passes).toBe(false);
  expect(findingIssue(finding, true, "error").passes).toBe(true);
  expect(findingIssue(finding, true, "never").passes).toBe(true);
  expect(findingIssue(finding, false, "information").passes).toBe(true);
});

const verdict: Verdict = {
  model: "pre.py:A",
  version: "1.2.3",
  compared: 9,
  issues: [
    findingIssue(finding, true, "warning"),
    findingIssue({ ...finding, code: "init/loss", severity: "information" }, true, "warning"),
    driftIssue({
      ...{ statistic: "forward", name: "head", was: 1, is: "NaN" },
      ...{ relative: null, tolerance: 1e-3 },
    }),
  ],
};

test("SARIF has a rule for each code and a place for each result", () => {
  const log = JSON.parse(sarif(verdict, "model.py"));
  const [run] = log.runs;
  expect(log.version).toBe("2.1.0");
  expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
    ...["norm/no-final", "init/loss", "baseline/forward"],
  ]);
  expect(run.results.map(({ level }: { level: string }) => level)).toEqual([
    ...["warning", "note", "error"],
  ]);
  const places = run.results.map(
    (it: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
      it.locations[0]?.physicalLocation.artifactLocation.uri,
  );
  expect(places).toEqual(["a,b.py", "a,b.py", "model.py"]);
});

/** What SARIF 2.1.0's schema says of the objects that are written: needed properties, then others. */
const sarifObjects = {
  log: [["version", "runs"], ["$schema"]],
  run: [["tool"], ["results"]],
  tool: [["driver"], []],
  driver: [["name"], ["version", "rules"]],
  rule: [["id"], ["shortDescription"]],
  result: [["message"], ["ruleId", "ruleIndex", "level", "baselineState", "locations"]],
  text: [["text"], []],
  location: [[], ["physicalLocation"]],
  physicalLocation: [[], ["artifactLocation", "region"]],
  artifactLocation: [[], ["uri"]],
  region: [[], ["startLine"]],
} as const satisfies Record<string, readonly [readonly string[], readonly string[]]>;

/** What `JSON.parse` gives is looked into without a type of its own. */
function checkSarif(log: ReturnType<typeof JSON.parse>): void {
  const has = (kind: keyof typeof sarifObjects, object: object): void => {
    const [needed, others] = sarifObjects[kind];
    const known: readonly string[] = [...needed, ...others];
    const own = Object.keys(object);
    expect(needed.filter((name) => !own.includes(name))).toEqual([]);
    expect(own.filter((name) => !known.includes(name))).toEqual([]);
  };
  has("log", log);
  for (const run of log.runs) {
    has("run", run);
    has("tool", run.tool);
    has("driver", run.tool.driver);
    for (const rule of run.tool.driver.rules) {
      has("rule", rule);
      has("text", rule.shortDescription);
    }
    for (const result of run.results) {
      has("result", result);
      has("text", result.message);
      expect(["none", "note", "warning", "error"]).toContain(result.level);
      expect(["new", "unchanged", "updated", "absent"]).toContain(result.baselineState);
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      for (const location of result.locations) {
        has("location", location);
        has("physicalLocation", location.physicalLocation);
        has("artifactLocation", location.physicalLocation.artifactLocation);
        has("region", location.physicalLocation.region);
        expect(location.physicalLocation.region.startLine).toBeGreaterThanOrEqual(1);
        const { uri } = location.physicalLocation.artifactLocation;
        const parsed = new URL(uri, "file:///workspace/");
        expect([parsed.search, parsed.hash]).toEqual(["", ""]);
        expect(decodeURIComponent(parsed.pathname)).toBe(`/workspace/${decodeURIComponent(uri)}`);
      }
    }
  }
}

test("SARIF has what its schema needs, and nothing that it does not know", () => {
  const odd = { ...finding, file: "what? a #1 file.py", line: null };
  const issues = [...verdict.issues, findingIssue(odd, true, "warning")];
  checkSarif(JSON.parse(sarif({ ...verdict, issues }, "model.py")));
  checkSarif(JSON.parse(sarif({ ...verdict, issues: [] }, "model.py")));
});

test("JUnit counts failures and escapes what XML needs", () => {
  const text = junit(verdict);
  expect(text).toContain('tests="3" failures="2"');
  expect(text).toContain("&amp; &quot;more&quot;");
  expect(text).not.toMatch(/message="[^"]*<[^"]*"/);
  expect(junit({ ...verdict, issues: [] })).toContain("9 statistics as the baseline");
});

test("annotations stand on one line each, escaped as workflow commands are", () => {
  expect(failures(verdict)).toHaveLength(2);
  expect(annotations(verdict)).toEqual([
    '::warning file=a%2Cb.py,line=7,title=norm/no-final::grows 1 → 4, & "more"%0A100 %25',
    "::error title=baseline/forward::forward RMS of head was 1.00, is NaN",
  ]);
});
