/** What the commands that run a model have in common. */
import { basename, isAbsolute, resolve } from "node:path";
import { reportPage, tablePage } from "../../present/html/reportPage.ts";
import { definitionRange, lineRows, measuredMethods } from "../../present/lineTable.ts";
import { numOf } from "../../present/number.ts";
import type { FileLines, ReportSide } from "../../present/reportSide.ts";
import { withoutSilenced } from "../../present/silence.ts";
import type { Table } from "../../present/table.ts";
import type { Device, ModelRequest } from "../../protocol/engine.ts";
import type { RunReport } from "../../protocol/report.ts";
import type { Context } from "../context.ts";
import { pathForUser, readSource, withPlaces } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
import { showProgress } from "../progress.ts";
import { reportText } from "../reportText.ts";

export interface OutputOptions {
  readonly json?: string;
  readonly html?: string;
}

export interface FindingOptions {
  /** Thresholds by name. */
  readonly limit?: Readonly<Record<string, number>> | undefined;
  /** Codes that are silenced. */
  readonly ignore?: readonly string[];
}

/** The report, without the findings that are silenced. */
export interface ModelRunOptions extends FindingOptions {
  readonly device: Device;
  /** It is run even where memory will not suffice. */
  readonly force?: boolean;
}

export async function runModel(
  context: Context,
  request: ModelRequest,
  { device, force = false, limit, ignore = [] }: ModelRunOptions,
): Promise<RunReport> {
  const progress = showProgress(context.err, nameOf(request));
  const forced = force ? { force } : {};
  try {
    const asked = { ...request, device, ...limitsOf({ limit }), ...forced };
    const work = context.engine().run(asked, { onStage: progress.stage });
    const report = await withPlaces(work, request.root, context.cwd);
    return withoutSilenced(report, ignore, (file) => sourceOf(request.root, file));
  } finally {
    progress.end();
  }
}

/** Thresholds as a part of a request. */
export const limitsOf = ({ limit }: FindingOptions) =>
  limit && Object.keys(limit).length > 0 ? { limits: limit } : {};

/** "pre_ln.py:PreLNTransformer". */
export const nameOf = ({ file, entry }: ModelRequest): string =>
  entry === null ? basename(file) : `${basename(file)}:${entry}`;

/** Every line with numbers, of every file of the workspace that the model's code is in. */
export function allLines(context: Context, report: RunReport, root: string): FileLines[] {
  const files = [...new Set(report.values.map(({ file }) => file))];
  return files.flatMap((file): FileLines[] => {
    // What an ONNX file says of places outside of the workspace is its maker's word: nothing is read.
    const isForeign = report.source.file.endsWith(".onnx") && isAbsolute(file);
    const source = isForeign ? "" : sourceOf(root, file);
    const rows = lineRows(report, file, source, null);
    const title = `Per line: ${pathForUser(root, file, context.cwd)}`;
    return [{ title, rows }];
  });
}

/** The methods of the block's class that have numbers; null where it is not in the workspace. */
export function blockLines(context: Context, report: RunReport, root: string): FileLines | null {
  const [block] = report.blocks;
  const module = report.modules.find(({ path }) => path === block?.path);
  if (module === undefined || module.file === null || module.line === null) return null;
  const source = sourceOf(root, module.file);
  const range = definitionRange(source, module.line);
  const rows = measuredMethods(lineRows(report, module.file, source, range));
  const path = pathForUser(root, module.file, context.cwd);
  return { title: `Per line of ${module.class}: ${path}:${module.line}`, rows };
}

/** A file that is gone since the run shows its numbers without text. */
export function sourceOf(root: string, file: string): string {
  try {
    return readSource(resolve(root, file), file);
  } catch {
    return "";
  }
}

/**
 * The report as text with `more` below it, unless `--json -` wants stdout for itself, and the files
 * that were asked for.
 */
export function present(
  context: Context,
  sides: readonly ReportSide[],
  data: unknown,
  options: OutputOptions,
  more: readonly string[] = [],
): void {
  if (options.json !== "-") writeLines(context.out, [...reportText(sides, context.out), ...more]);
  writeJson(context, data, options.json);
  writeReportPage(context, sides, options);
}

export function writeReportPage(
  context: Context,
  sides: readonly ReportSide[],
  { json, html }: OutputOptions,
): void {
  if (html === undefined) return;
  context.files.write(resolve(context.cwd, html), reportPage(sides));
  told(context, html, json);
}

/** An HTML page of tables, for the commands that run no model. */
export function writeTablePage(
  context: Context,
  title: string,
  tables: readonly Table[],
  { json, html }: OutputOptions,
): void {
  if (html === undefined) return;
  context.files.write(resolve(context.cwd, html), tablePage(title, tables));
  told(context, html, json);
}

export function writeJson(context: Context, data: unknown, json: string | undefined): void {
  if (json === undefined) return;
  const text = `${JSON.stringify(data, named, 2)}\n`;
  if (json === "-") context.out.write(text);
  else {
    context.files.write(resolve(context.cwd, json), text);
    told(context, json, json);
  }
}

/** JSON has no word for what is not finite: its name, as everywhere in reports. */
const named = (_: string, value: unknown): unknown =>
  typeof value === "number" ? numOf(value) : value;

/** Says where a file is; on stderr, so that stdout stays the report's. */
export function told(context: Context, path: string, json: string | undefined): void {
  const output = json === "-" ? context.err : context.out;
  output.write(`${output.paint("dim", "written")}  ${path}\n`);
}
