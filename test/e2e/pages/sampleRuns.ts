/** What the extension tells a page, for tests of the pages alone. */

import { modelName } from "../../../src/present/summary.ts";
import { noClaims } from "../../../src/protocol/claimsPage.ts";
import type { AxisBreakdown, Detail } from "../../../src/protocol/report.ts";
import { defaultTraining, noTrainings } from "../../../src/protocol/trainingPage.ts";
import type {
  Init,
  ModelForm,
  RunSummary,
  ShownRun,
  ToWebview,
  ValueOfRun,
} from "../../../src/protocol/webview.ts";
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
  trainings: noTrainings,
  sweep: null,
  claims: noClaims,
  ...parts,
});

export const sampleForm: ModelForm = {
  title: "PreLNTransformer",
  summary: "Tokens [B, T] to logits [B, T, vocab_size].",
  fields: [
    { name: "vocab_size", annotation: "int", default: "256", choices: [] },
    { name: "d_model", annotation: "int", default: null, choices: [] },
    { name: "n_layers", annotation: "int", default: "12", choices: [] },
    { name: "bias", annotation: "bool", default: "True", choices: [] },
    {
      name: "norm",
      annotation: 'Literal["LayerNorm", "RMSNorm"]',
      default: '"LayerNorm"',
      choices: ['"LayerNorm"', '"RMSNorm"'],
    },
  ],
  presets: [{ label: "GPT-2 small", set: { d_model: "768", n_layers: "12" } }],
  facts: [{ name: "norm", fact: "LayerNorm", source: "Xiong et al. 2020, section 3" }],
  configuration: {
    ...shownRun("pre").configuration,
    inputs: [{ name: "idx", dtype: "int64", shape: [4, 64], below: 256 }],
  },
  training: defaultTraining,
  hasCounterpart: true,
};

export const detailOf = (value: ValueOfRun): ToWebview => ({
  type: "detail",
  value,
  detail: { activation: detail(-9), gradient: detail(-24) },
});

const detail = (least: number): Detail => ({
  histogram: {
    least,
    negative: [3, 9, 22, 60, 140, 300, 520, 610, 260, 30],
    positive: [4, 8, 25, 55, 150, 290, 530, 600, 250, 44],
    zeros: 12,
  },
  percentiles: { p1: -2.31, p50: 0.0021, p99: 2.35 },
  losses: {
    float16: { flushed: 0, overflowed: 0 },
    bfloat16: { flushed: 0, overflowed: 0 },
    float8_e4m3fn: { flushed: 0.021, overflowed: 0 },
    float8_e5m2: { flushed: 0.0001, overflowed: 0.0004 },
  },
  axes: [
    { ...slices(4, Math.abs(least)), axis: 0, name: "batch" },
    { ...slices(64, 2), axis: 1, name: "position" },
    { ...slices(128, 3), axis: 2, name: "feature" },
  ],
});

function slices(size: number, scale: number): Omit<AxisBreakdown, "axis" | "name"> {
  const of = (f: (at: number) => number) => Array.from({ length: size }, (_, at) => scale * f(at));
  return {
    size,
    step: 1,
    rms: of((at) => 1 / Math.sqrt(at + 1)),
    mean: of((at) => Math.sin(at / 3) / 10),
    std: of((at) => 0.9 / Math.sqrt(at + 1)),
    absMax: of((at) => 3 / Math.sqrt(at + 1)),
  };
}
