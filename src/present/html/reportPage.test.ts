import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { postReport, postSource, preReport, preSource } from "../../../test/fixtures/reports.ts";
import type { RunReport } from "../../protocol/report.ts";
import { lineRows } from "../lineTable.ts";
import type { ReportSide } from "../reportSide.ts";
import { reportPage } from "./reportPage.ts";

const side = (name: string, report: RunReport, source: string): ReportSide => ({
  name,
  report,
  files: [{ title: report.source.file, rows: lineRows(report, report.source.file, source, null) }],
});

const both = (): string =>
  reportPage([
    side("Pre-LN", preReport(), preSource()),
    side("Post-LN", postReport(), postSource()),
  ]);

test("loads nothing and runs nothing: no address, no script, no inline handler or style", () => {
  const html = both();
  expect(html).not.toMatch(/https?:|\/\/[a-z]|url\(|@import/i);
  expect(html).not.toMatch(/<(script|link|img|iframe|object|embed|base|form)\b/i);
  expect(html).not.toMatch(/\s(on[a-z]+|style|src|href)\s*=/i);
});

test("the policy allows the page's own style sheet and nothing else", () => {
  const html = both();
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(html).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'"`,
  );
});

test("names of the model cannot become markup", () => {
  const evil = `<img src=x onerror="f()">`;
  const rename = (text: string): string => text.replaceAll("ffn", evil);
  const report: RunReport = JSON.parse(
    JSON.stringify(preReport(), (_, it: unknown) => (typeof it === "string" ? rename(it) : it)),
  );
  const source = preSource().replace("return x", `return "</code><script>"`);
  const rows = lineRows(report, "pre.py", source, { first: 1, last: 26 });
  const html = reportPage([{ name: evil, report, files: [{ title: evil, rows }] }]);
  expect(html).not.toContain("<img");
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;img src=x onerror=&quot;f()&quot;&gt;");
});

test("both sides share each chart, and every chart has its numbers as a table", () => {
  const html = both();
  const figures = html.match(/<figure>[\s\S]*?<\/figure>/g) ?? [];
  expect(figures.length).toBe(6);
  for (const figure of figures) {
    expect(figure).toMatch(/Pre-LN[\s\S]*Post-LN/);
    expect(figure.match(/<circle|<path class="mark"/g)?.length).toBe(2 * 4 + 2);
    expect(figure).toMatch(/<table>[\s\S]*<caption>[\s\S]*<th scope="col"/);
  }
});

test("a report alone has its own table per block, findings included", () => {
  const html = reportPage([side("Post-LN", postReport(), postSource())]);
  expect(html).toContain("<h2>Per block: blocks</h2>");
  expect(html).toContain("stats/gradient-imbalance");
});

test("a model without blocks has a page too", () => {
  const report = { ...preReport(), blocks: [] };
  expect(reportPage([side("Pre-LN", report, preSource())])).not.toContain("<figure>");
});
