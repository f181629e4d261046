/** `normscope train`: a model's own training steps, with what happens in its layers. */
import { join, resolve } from "node:path";
import { wrongUsage } from "../../errors.ts";
import { findingNotices } from "../../present/findings.ts";
import { withoutSilenced } from "../../present/silence.ts";
import { sparkline } from "../../present/sparkline.ts";
import { textPlot } from "../../present/textPlot.ts";
import { trainingCsv } from "../../present/training/csv.ts";
import { trainingFacts } from "../../present/training/facts.ts";
import { lossPlot } from "../../present/training/history.ts";
import { trainingPage } from "../../present/training/trainingPage.ts";
import type { Device } from "../../protocol/engine.ts";
import type { TrainReport, TrainRequest } from "../../protocol/training.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { type ModelOptions, modelRequest, withPlaces } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
import { showProgress } from "../progress.ts";
import { noticeLines } from "../reportText.ts";
import { textTable } from "../textTable.ts";
import { bundleFiles, eventsOf } from "../training/bundle.ts";
import { type TrainingOptions, trainSettings } from "../training/trainOptions.ts";
import { trainView } from "../training/trainView.ts";
import {
  type FindingOptions,
  limitsOf,
  nameOf,
  type OutputOptions,
  sourceOf,
  told,
  writeJson,
} from "./shared.ts";

export interface TrainCommandOptions
  extends ModelOptions,
    OutputOptions,
    TrainingOptions,
    FindingOptions {
  readonly device: Device;
  /** Steps between two saved states. */
  readonly every: number;
  readonly out?: string;
  readonly resume?: boolean;
  readonly csv?: string;
  readonly tensorboard?: string;
  readonly bundle?: string;
}

export async function train(
  context: Context,
  target: string,
  options: TrainCommandOptions,
): Promise<void> {
  const request = trainRequest(context, target, options);
  const report = await runTraining(context, request, options.ignore);
  if (options.json !== "-") writeLines(context.out, trainingText(context, report));
  writeFiles(context, request, report, options);
}

export function trainRequest(
  context: Context,
  target: string,
  options: TrainCommandOptions,
): TrainRequest {
  const { out, resume = false } = options;
  if (resume && out === undefined) throw wrongUsage("--resume needs the run's folder: --out DIR");
  const model = modelRequest(target, options, context.cwd);
  return {
    ...model,
    mode: model.mode ?? "train",
    device: options.device,
    ...limitsOf(options),
    training: {
      ...trainSettings(options, context.cwd),
      directory: out === undefined ? null : resolve(context.cwd, out),
      saveEvery: options.every,
      resume,
    },
  };
}

/** Shows the run while it goes on; Ctrl-C ends it after a step. */
export async function runTraining(
  context: Context,
  request: TrainRequest,
  ignore: readonly string[] = [],
): Promise<TrainReport> {
  const progress = showProgress(context.err, nameOf(request));
  const view = trainView(context.err, request.training.steps);
  const stop = new AbortController();
  const release = context.onInterrupt(() => stop.abort());
  try {
    const work = context.engine().train(request, {
      stop: stop.signal,
      onStage: (stage) => (stage === "run" ? progress.end() : progress.stage(stage)),
      onEvent: view.event,
    });
    const report = await withPlaces(work, request.root, context.cwd);
    return withoutSilenced(report, ignore, (file) => sourceOf(request.root, file));
  } finally {
    release();
    progress.end();
    view.end();
  }
}

function trainingText(context: Context, report: TrainReport): string[] {
  const { out } = context;
  const columns = Math.min(out.columns, 100);
  const last = report.steps.at(-1);
  return [
    ...textTable(trainingFacts(report), out),
    ...heading("Loss over steps", out),
    ...textPlot(lossPlot([{ name: "loss", report }]), { columns, rows: 12 }),
    ...heading("At the last step, per layer", out),
    `gradient norm    ${sparkline(last?.layerGradients ?? [], 48)}`,
    `update / weight  ${sparkline(last?.updateRatios ?? [], 48)}`,
    ...(report.blocks.length > 0
      ? [`stream RMS       ${sparkline(last?.streamRms ?? [], 48)}  (blocks)`]
      : []),
    out.paint("dim", report.layers.join(", ")),
    ...noticeLines("Findings", findingNotices(report.findings), out),
  ];
}

function writeFiles(
  context: Context,
  request: TrainRequest,
  report: TrainReport,
  options: TrainCommandOptions,
): void {
  const { csv, html, json, tensorboard, bundle, out } = options;
  const name = nameOf(request);
  writeJson(context, report, json);
  const write = (path: string, content: string | Uint8Array) => {
    context.files.write(resolve(context.cwd, path), content);
    told(context, path, json);
  };
  if (html !== undefined) write(html, trainingPage(name, report));
  if (csv !== undefined) write(csv, trainingCsv(report));
  if (out !== undefined) write(join(out, "report.json"), `${JSON.stringify(report)}\n`);
  if (tensorboard !== undefined) {
    const { name: events, content } = eventsOf(report);
    write(join(tensorboard, events), content);
  }
  if (bundle !== undefined)
    for (const [path, content] of bundleFiles(request, report)) write(join(bundle, path), content);
}
