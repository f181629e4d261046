/** What the extension tells a page, for tests of the pages alone. */
import { modelName } from "../../../src/present/summary.ts";
import type { Init, RunSummary, ShownRun } from "../../../src/protocol/webview.ts";
import { postReport, preReport } from "../../fixtures/reports.ts";

export function shownRun(which: "pre" | "post"): ShownRun {
  const report = which === "pre" ? preReport() : postReport();
  const label = which === "pre" ? "Pre-LN" : "Post-LN";
  const summary: RunSummary = {
    id: which,
    name: modelName(report),
    at: 1_700_000_000_000,
    file: report.source.file,
    entry: report.source.entry,
    placement: label,
    loss: report.loss,
    device: report.device.provider,
    totalMs: report.timing.totalMs,
    findings: report.findings.length,
    isStale: false,
  };
  return {
    summary,
    label,
    report,
    configuration: {
      uri: `file:///models/${report.source.file}`,
      entry: report.source.entry,
      set: {},
      inputs: [],
      loss: null,
      seed: 0,
      mode: null,
      device: "auto",
    },
  };
}

export const initWith = (parts: Partial<Init>): Init => ({
  type: "init",
  theme: "dark",
  language: "en",
  strings: {},
  isTrusted: true,
  page: null,
  runs: (parts.shown ?? []).map(({ summary }) => summary),
  shown: [],
  value: null,
  form: null,
  progress: null,
  failure: null,
  ...parts,
});
