import { expect, test } from "vitest";
import { postReport } from "../../test/fixtures/reports.ts";
import { notices } from "./findings.ts";

test("findings, gaps and decisions of Python, the gravest first", () => {
  const report = postReport();
  const place = { file: "post.py", line: 9 };
  expect(
    notices({
      ...report,
      gaps: [{ ...place, code: "trace/gap", message: "Not followed" }],
      branches: [{ ...place, value: "True", taken: "if" }],
      findings: [
        ...report.findings,
        {
          code: "stats/non-finite",
          severity: "error",
          message: "First NaN here",
          file: null,
          line: null,
          module: "blocks.2.attn",
          evidence: { count: 3, kind: "NaN" },
        },
      ],
    }).map(({ severity, place, message, evidence, code }) =>
      [severity, place, message, evidence, code].join(" | "),
    ),
  ).toMatchInlineSnapshot(`
    [
      "error | blocks.2.attn | First NaN here | count 3, kind NaN | stats/non-finite",
      "warning | post.py:15 | The gradient at the last block's output is 4.1 times the first's | ratio 4.10 | stats/gradient-imbalance",
      "warning | post.py:9 | Not followed |  | trace/gap",
      "information | post.py:9 | Python looked at a computed number (True); this run went: if |  | trace/branch",
    ]
  `);
});
