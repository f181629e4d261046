/** `normscope check`: fails on new findings, and on statistics that left a committed baseline. */
import { readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { checkFailed, noSuchFile, notABaseline, wrongUsage } from "../../errors.ts";
import { annotations } from "../../present/check/annotations.ts";
import {
  type Baseline,
  baselineFault,
  defaultTolerances,
  driftFrom,
  makeBaseline,
  newFindings,
  statisticsIn,
  type Tolerances,
} from "../../present/check/baseline.ts";
import { junit } from "../../present/check/junit.ts";
import { sarif } from "../../present/check/sarif.ts";
import {
  driftIssue,
  type FailOn,
  failures,
  findingIssue,
  type Verdict,
} from "../../present/check/verdict.ts";
import { reportPage } from "../../present/html/reportPage.ts";
import type { Finding, RunReport } from "../../protocol/report.ts";
import type { Context } from "../context.ts";
import { modelRequest } from "../modelRequest.ts";
import { type Output, writeLines } from "../output.ts";
import { printable } from "../textWidth.ts";
import type { TrainingOptions } from "../training/trainOptions.ts";
import type { RunOptions } from "./run.ts";
import { allLines, nameOf, runModel, writeJson } from "./shared.ts";
import { runTraining, trainRequest } from "./train.ts";

export interface CheckOptions extends RunOptions, TrainingOptions {
  /** It is trained as well, and what that finds counts. */
  readonly train: boolean;
  readonly baseline?: string;
  readonly update: boolean;
  readonly failOn: FailOn;
  readonly tolerance: Readonly<Record<string, number>>;
  readonly sarif?: string;
  readonly junit?: string;
  readonly github: boolean;
}

export async function check(
  context: Context,
  target: string,
  options: CheckOptions,
): Promise<void> {
  const { cwd, out } = context;
  if (options.update && options.baseline === undefined)
    throw wrongUsage("--update needs --baseline FILE: where to write");
  const before = options.update ? null : readBaseline(cwd, options.baseline);
  const request = modelRequest(target, options, cwd);
  const ran = await runModel(context, request, options);
  const trained = options.train ? await trainedFindings(context, target, options) : [];
  const report = { ...ran, findings: [...ran.findings, ...trained] };
  const now = makeBaseline(report, nameOf(request));
  if (options.update && options.baseline !== undefined) {
    context.files.write(resolve(cwd, options.baseline), `${JSON.stringify(now, null, 2)}\n`);
    out.write(`${out.paint("dim", "written")}  ${options.baseline}\n`);
    return;
  }
  const place = (file: string) => relative(cwd, resolve(request.root, file)).replaceAll("\\", "/");
  const verdict = verdictOf(report, now, before, options, place);
  const write = (path: string | undefined, text: string) => {
    if (path !== undefined) context.files.write(resolve(cwd, path), text);
  };
  write(options.sarif, sarif(verdict, place(request.file)));
  write(options.junit, junit(verdict));
  const files = allLines(context, report, request.root);
  if (options.html !== undefined)
    write(options.html, reportPage([{ name: verdict.model, report, files }]));
  if (options.json !== "-") writeLines(out, verdictText(verdict, out));
  writeJson(context, { schema: 1, ...verdict }, options.json);
  if (options.github) writeLines(options.json === "-" ? context.err : out, annotations(verdict));
  const failed = failures(verdict);
  if (failed.length > 0) throw checkFailed(failed.map(({ code }) => code));
}

async function trainedFindings(
  context: Context,
  target: string,
  options: CheckOptions,
): Promise<readonly Finding[]> {
  const request = trainRequest(context, target, { ...options, every: options.steps });
  return (await runTraining(context, request, options.ignore)).findings;
}

function verdictOf(
  report: RunReport,
  now: Baseline,
  before: Baseline | null,
  { failOn, tolerance }: Pick<CheckOptions, "failOn" | "tolerance">,
  place: (file: string) => string,
): Verdict {
  const files = [report.source.file, ...report.values.map(({ file }) => file)];
  const fresh = new Set(newFindings(report.findings, before?.findings ?? [], files));
  const tolerances: Tolerances = { ...defaultTolerances, ...tolerance };
  const drifts = before === null ? [] : driftFrom(before, now, tolerances);
  const issues = [
    ...report.findings.map((finding) => findingIssue(finding, fresh.has(finding), failOn)),
    ...drifts.map(driftIssue),
  ].map((issue) => ({ ...issue, file: issue.file === null ? null : place(issue.file) }));
  return {
    model: now.model,
    version: report.normscope,
    issues,
    compared: before === null ? null : statisticsIn(before),
  };
}

function readBaseline(cwd: string, file: string | undefined): Baseline | null {
  if (file === undefined) return null;
  const path = resolve(cwd, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw noSuchFile(file);
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw notABaseline(file, "is not JSON");
  }
  const fault = baselineFault(data);
  if (fault !== null) throw notABaseline(file, fault);
  return data as Baseline;
}

function verdictText(verdict: Verdict, output: Output): string[] {
  const { issues, compared, model } = verdict;
  const lines = issues.map(({ code, severity, message, file, line, passes }) => {
    const place = file === null ? "" : `${file}:${line ?? 1}  `;
    const mark = passes ? output.paint("dim", "known ") : output.paint("error", "failed");
    return `${mark}  ${severity}  ${place}${printable(message)}  ${output.paint("dim", code)}`;
  });
  const same = compared === null ? "no baseline" : `${compared} statistics compared`;
  return [...lines, `${model}: ${failures(verdict).length} of ${issues.length} fail, ${same}`];
}
