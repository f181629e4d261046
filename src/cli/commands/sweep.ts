/** `normscope sweep`: one model over depths, widths, rates, seeds; with or without training. */
import { resolve } from "node:path";
import { jobsThatFit } from "../../client/jobs.ts";
import { runsFailed, wrongUsage } from "../../errors.ts";
import { htmlTable } from "../../present/html/htmlTable.ts";
import { page } from "../../present/html/page.ts";
import { xyPlot } from "../../present/html/xyPlot.ts";
import {
  type Axis,
  isTrainingAxis,
  requestOfRun,
  type SweepPlan,
  sweepRuns,
} from "../../present/sweep/plan.ts";
import { axisFits, choicesText, type SweepRun, sweepRows } from "../../present/sweep/results.ts";
import { fitPlots, fitTable, sweepTable } from "../../present/sweep/tables.ts";
import { textPlot } from "../../present/textPlot.ts";
import type { Device } from "../../protocol/engine.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { type ModelOptions, modelRequest } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
import {
  errorOf,
  forgetError,
  keepError,
  keepResult,
  openSweep,
  outcomesOf,
  readSweep,
  refuseOtherTexts,
  resultOf,
} from "../sweep/folder.ts";
import { runLocally } from "../sweep/local.ts";
import { runOne } from "../sweep/runOne.ts";
import { runOnSlurm } from "../sweep/slurm.ts";
import { textTable } from "../textTable.ts";
import { type TrainingOptions, trainSettings } from "../training/trainOptions.ts";
import { nameOf, type OutputOptions, told, writeJson } from "./shared.ts";

export interface SweepOptions extends ModelOptions, OutputOptions, TrainingOptions {
  readonly device: Device;
  readonly over: readonly Axis[];
  readonly seeds: number;
  readonly measure?: "init" | "train";
  readonly out: string;
  readonly jobs?: number;
  readonly executor: "local" | "slurm";
  readonly slurm: readonly string[];
  readonly poll: number;
}

export async function sweep(
  context: Context,
  target: string,
  options: SweepOptions,
): Promise<void> {
  const plan = planOf(context, target, options);
  const folder = resolve(context.cwd, options.out);
  openSweep(folder, plan);
  refuseOtherTexts(folder, plan);
  const missing = plan.runs.filter((run) => resultOf(folder, run) === null);
  for (const run of missing) forgetError(folder, run);
  const told = counter(context, plan.runs.length - missing.length, plan.runs.length);
  if (missing.length > 0) await execute(context, options, { plan, folder, missing, told });
  refuseOtherTexts(folder, plan);
  show(context, options, plan, folder);
}

interface Work {
  readonly plan: SweepPlan;
  readonly folder: string;
  readonly missing: readonly SweepRun[];
  readonly told: (run: SweepRun) => void;
}

function execute(context: Context, options: SweepOptions, work: Work): Promise<void> {
  const { plan, folder, missing: runs, told } = work;
  if (options.executor === "local") {
    const jobs = options.jobs ?? jobsThatFit();
    return runLocally({ plan, folder, runs, jobs, told, startEngine: context.newEngine });
  }
  const command = [...context.ownCommand, "sweep-task", folder];
  const { slurm, poll } = options;
  return runOnSlurm({ folder, runs, command, options: slurm, told, pollMs: 1000 * poll });
}

/** One task of an array job: a run of the sweep in `folder`. */
export async function sweepTask(context: Context, folder: string, index: number): Promise<void> {
  const path = resolve(context.cwd, folder);
  const plan = readSweep(path);
  const run = plan.runs.find((one) => one.index === index);
  if (run === undefined) throw wrongUsage(`The sweep in '${folder}' has no run ${index}`);
  try {
    keepResult(path, run, await runOne(context.engine(), plan, run), plan.request.root);
  } catch (error) {
    keepError(path, run, error);
    throw error;
  }
}

function planOf(context: Context, target: string, options: SweepOptions): SweepPlan {
  const { over, seeds, device } = options;
  if (over.length === 0) throw wrongUsage("A sweep needs at least one axis: --over n_layers=2,4,8");
  const trains = over.some(({ name }) => isTrainingAxis(name));
  const kind = options.measure ?? (trains ? "train" : "init");
  if (kind === "init" && trains)
    throw wrongUsage("--measure init trains nothing: it has no axis for lr, warmup, steps, …");
  const model = modelRequest(target, options, context.cwd);
  const mode = model.mode ?? (kind === "train" ? "train" : null);
  const varied = over.map(({ name }) => name);
  const training = trainSettings(options, context.cwd, varied);
  // The same on every machine and with every --jobs: the plan of a sweep that goes on is compared.
  const threads = training.threads ?? 1;
  const plan: SweepPlan = {
    kind,
    request: { ...model, mode, device },
    training: { ...training, threads },
    runs: sweepRuns(over, seeds),
  };
  // What cannot be asked is told before anything is run.
  for (const run of plan.runs) requestOfRun(plan, run);
  return plan;
}

function counter(context: Context, done: number, all: number): (run: SweepRun) => void {
  let count = done;
  if (done > 0) context.err.write(`${done} of ${all} runs were there already\n`);
  return ({ choices, seed }) => {
    count++;
    context.err.write(`${count} of ${all}  ${choicesText(choices)} seed=${seed}\n`);
  };
}

function show(context: Context, options: SweepOptions, plan: SweepPlan, folder: string): void {
  const { out } = context;
  const outcomes = outcomesOf(folder, plan.runs);
  const rows = sweepRows(outcomes);
  const fits = axisFits(rows);
  const plots = fitPlots(fits);
  const failed = outcomes.filter(({ result }) => result === null).map(({ run }) => run);
  const columns = Math.min(out.columns, 100);
  if (options.json !== "-")
    writeLines(out, [
      ...textTable(sweepTable(rows), out),
      ...(fits.length > 0 ? [...heading("Exponents", out), ...textTable(fitTable(fits), out)] : []),
      ...plots
        .filter((_, at) => fits[at] !== undefined && plots.length <= 3)
        .flatMap((plot) => ["", ...textPlot(plot, { columns, rows: 12 })]),
      ...failedText(context, folder, failed),
    ]);
  writeJson(context, { plan, rows, fits, failed }, options.json);
  if (options.html !== undefined) {
    const name = nameOf(plan.request);
    const body = plots.map((plot, at) => xyPlot(plot, `plot-${at}`)).join("\n");
    const html = page(`Sweep of ${name}`, "Normscope", [
      { heading: "Settings", body: htmlTable(sweepTable(rows)) },
      ...(fits.length > 0 ? [{ heading: "Exponents", body: htmlTable(fitTable(fits)) }] : []),
      { heading: "Plots", body: `<div class="charts">${body}</div>` },
    ]);
    context.files.write(resolve(context.cwd, options.html), html);
    told(context, options.html, options.json);
  }
  if (failed.length > 0) throw runsFailed(failed.length, plan.runs.length);
}

const unexplained = { message: "it ended without a word (see logs)", place: null };

function failedText(context: Context, folder: string, failed: readonly SweepRun[]): string[] {
  if (failed.length === 0) return [];
  const { out } = context;
  return [
    ...heading("Runs that failed", out),
    ...failed.map((run) => {
      const { message, place } = errorOf(folder, run) ?? unexplained;
      const at = place ? `  ${place.file}:${place.line}` : "";
      return `${choicesText(run.choices)} seed=${run.seed}: ${message}${at}`;
    }),
  ];
}
