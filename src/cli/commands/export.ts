/** `normscope export`: the model as an ONNX file that names its source lines. */
import { basename, dirname, join, resolve } from "node:path";
import { wrongUsage } from "../../errors.ts";
import { formatBytes, formatCount } from "../../present/number.ts";
import { leftColumn, rightColumn, type Table, textCell } from "../../present/table.ts";
import type { ExportReport, ExportRequest, ModelRequest } from "../../protocol/engine.ts";
import type { Context } from "../context.ts";
import { type ModelOptions, modelRequest, withPlaces } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
import { showProgress } from "../progress.ts";
import { textTable } from "../textTable.ts";
import { nameOf, type OutputOptions, writeJson, writeTablePage } from "./shared.ts";

export interface GraphOptions {
  readonly storage: ExportRequest["storage"];
  readonly dynamic: boolean;
  readonly backward: boolean;
  readonly statistics: boolean;
}

export interface ExportOptions extends ModelOptions, OutputOptions, GraphOptions {
  readonly output: string;
}

export async function exportCommand(
  context: Context,
  target: string,
  options: ExportOptions,
): Promise<void> {
  const { output, json } = options;
  if (!output.endsWith(".onnx")) {
    throw wrongUsage(`--output needs a name that ends in .onnx; got '${output}'`);
  }
  const request = modelRequest(target, options, context.cwd);
  const report = await exportModel(context, request, output, options);
  const table = fileTable(report, dirname(output));
  if (json !== "-") writeLines(context.out, textTable(table, context.out));
  writeJson(context, report, json);
  writeTablePage(context, `Export of ${nameOf(request)}`, [table], options);
}

/** Exports into a folder of its own, so that nothing half-written ever has the file's name. */
export async function exportModel(
  context: Context,
  model: ModelRequest,
  output: string,
  options: GraphOptions,
): Promise<ExportReport> {
  const path = resolve(context.cwd, output);
  const directory = context.files.folderFor(path);
  const progress = showProgress(context.err, nameOf(model));
  const { storage, dynamic, backward, statistics } = options;
  const graph = { storage, dynamic, backward, statistics };
  try {
    const request = { ...model, directory, name: basename(path), ...graph };
    const work = context.engine().export(request, { onStage: progress.stage });
    const report = await withPlaces(work, model.root, context.cwd);
    for (const { name } of report.files) {
      context.files.publish(directory, name, join(dirname(path), name));
    }
    return report;
  } finally {
    progress.end();
    context.files.discard();
  }
}

export const fileTable = ({ files, nodes, parameters }: ExportReport, folder: string): Table => ({
  title: "Exported",
  columns: [leftColumn("file"), rightColumn("size"), leftColumn("content")],
  rows: files.map(({ name, bytes }, i) => [
    textCell(join(folder, name)),
    textCell(formatBytes(bytes)),
    textCell(
      i === 0 ? `${formatCount(nodes)} nodes, ${formatCount(parameters)} parameters` : "weights",
    ),
  ]),
});
