/** `normscope compare`: two models, or two reports that were saved with --json, side by side. */
import { readFileSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { noSuchFile, notAReport, wrongUsage } from "../../errors.ts";
import { agreementOf, agreementTable } from "../../present/agreement.ts";
import { compareReports, differenceTable } from "../../present/compareReports.ts";
import { type FileLines, sideNames } from "../../present/reportSide.ts";
import type { Device } from "../../protocol/engine.ts";
import type { RunReport } from "../../protocol/report.ts";
import { comparedSides } from "../comparedSides.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { modelRequest } from "../modelRequest.ts";
import { textTable } from "../textTable.ts";
import { compareOver } from "./compareOver.ts";
import type { RunOptions } from "./run.ts";
import { blockLines, present, runModel } from "./shared.ts";

const shownDifferences = 12;

export interface CompareOptions extends Omit<RunOptions, "device"> {
  /** One for all, or two for one model. */
  readonly device: readonly Device[];
  /** An argument of the first model, which then runs once for each of its choices. */
  readonly over?: string;
}

/** Two models, one over an argument, or one on two devices. */
export async function compareCommand(
  context: Context,
  targets: readonly [string, string | null],
  options: CompareOptions,
): Promise<void> {
  const [device = "auto", other] = options.device;
  const single = { ...options, device };
  if (other !== undefined) await compareDevices(context, targets, [device, other], single);
  else if (options.over !== undefined) await compareOver(context, targets, options.over, single);
  else await compare(context, targets, single);
}

async function compare(
  context: Context,
  targets: readonly [string, string | null],
  options: RunOptions,
): Promise<void> {
  const [first, second] = comparedSides(targets, options.weights ?? null);
  const a = await measured(context, first.target, { ...options, weights: first.weights });
  const b = await measured(context, second.target, { ...options, weights: second.weights });
  const [nameA = "A", nameB = "B"] = sideNames([a.report, b.report]);
  const comparison = compareReports(a.report, b.report);
  const table = differenceTable(comparison, [nameA, nameB], shownDifferences);
  const differences = [
    ...heading("Modules that differ most", context.out),
    ...textTable(table, context.out),
  ];
  const sides = [
    { name: nameA, ...a },
    { name: nameB, ...b },
  ];
  const data = { schema: 1, a: a.report, b: b.report, comparison };
  present(context, sides, data, options, differences);
}

interface Measured {
  readonly report: RunReport;
  readonly files: readonly FileLines[];
}

/** One model on two devices: both reports, and the values that differ most. */
async function compareDevices(
  context: Context,
  [target, other]: readonly [string, string | null],
  devices: readonly [Device, Device],
  options: RunOptions,
): Promise<void> {
  if (other !== null)
    throw wrongUsage("Two devices are compared on one model", "Name one model, or one device");
  const [first, second] = devices;
  const a = await measured(context, target, { ...options, device: first });
  const b = await measured(context, target, { ...options, device: second });
  const agreement = agreementOf(a.report, b.report);
  const table = agreementTable(agreement, devices, shownDifferences);
  const differences = [
    ...heading("Values that differ most between the devices", context.out),
    ...textTable(table, context.out),
  ];
  const sides = [
    { name: first, ...a },
    { name: second, ...b },
  ];
  const data = { schema: 1, a: a.report, b: b.report, agreement };
  present(context, sides, data, options, differences);
}

async function measured(context: Context, target: string, options: RunOptions): Promise<Measured> {
  if (extname(target) === ".json") {
    return { report: savedReport(resolve(context.cwd, target), target), files: [] };
  }
  const request = modelRequest(target, options, context.cwd);
  const report = await runModel(context, request, options);
  const lines = blockLines(context, report, request.root);
  return { report, files: lines === null ? [] : [lines] };
}

function savedReport(path: string, file: string): RunReport {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw noSuchFile(file);
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw notAReport(file, "no JSON");
  }
  if (!isReport(data)) throw notAReport(file, "other JSON");
  return data;
}

const isReport = (data: unknown): data is RunReport =>
  typeof data === "object" &&
  data !== null &&
  "schema" in data &&
  data.schema === 1 &&
  "modules" in data &&
  Array.isArray(data.modules);
