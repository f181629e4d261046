/** `normscope compare MODEL --over ARGUMENT`: one model at each value of one of its arguments. */
import { resolve } from "node:path";
import { wrongUsage } from "../../errors.ts";
import { formFields } from "../../present/modelForm.ts";
import { overTable } from "../../present/overTable.ts";
import { pythonOutline } from "../../present/pythonOutline.ts";
import type { ReportSide } from "../../present/reportSide.ts";
import type { FormField } from "../../protocol/webview.ts";
import type { Context } from "../context.ts";
import { pythonLiteral } from "../literal.ts";
import { modelRequest, readSource } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
import { heading } from "../reportText.ts";
import { textTable } from "../textTable.ts";
import type { RunOptions } from "./run.ts";
import { runModel, writeJson, writeReportPage } from "./shared.ts";

export async function compareOver(
  context: Context,
  [target, second]: readonly [string, string | null],
  over: string,
  options: RunOptions,
): Promise<void> {
  if (second !== null)
    throw wrongUsage("--over runs one model at several values of an argument; two are named");
  const request = modelRequest(target, options, context.cwd);
  const source = readSource(resolve(request.root, request.file), request.file);
  const { argument, values } = overValues(over, fieldsOf(source, request.entry));
  const sides: ReportSide[] = [];
  for (const value of values) {
    const set = { ...request.set, [argument]: value };
    const report = await runModel(context, { ...request, set }, options);
    sides.push({ name: value.replace(/^(["'])(.*)\1$/, "$2"), report, files: [] });
  }
  const table = overTable(argument, sides);
  if (options.json !== "-")
    writeLines(context.out, [
      ...heading(table.title, context.out),
      ...textTable(table, context.out),
    ]);
  const reports = Object.fromEntries(sides.map(({ name, report }) => [name, report]));
  writeJson(context, { schema: 1, over: argument, reports }, options.json);
  writeReportPage(context, sides, options);
}

function fieldsOf(source: string, entry: string | null): FormField[] {
  const outline = pythonOutline(source);
  const model = outline.classes.find(({ name }) => name === entry);
  return model === undefined ? [] : formFields(outline, model);
}

/** `norm`, whose choices its annotation names, or `n_layers=6,12`. Values are Python literals. */
export function overValues(
  over: string,
  fields: readonly FormField[],
): { argument: string; values: readonly string[] } {
  const [, argument = over, list = null] = /^([^=]*)=(.*)$/s.exec(over) ?? [];
  if (list !== null) return { argument, values: list.split(",").map(pythonLiteral) };
  const choices = fields.find(({ name }) => name === argument)?.choices ?? [];
  if (choices.length > 0) return { argument, values: choices };
  const others = fields.filter((field) => field.choices.length > 0).map(({ name }) => name);
  throw wrongUsage(
    `Nothing names the choices of '${argument}'`,
    [
      `Write --over ${argument}=VALUE,VALUE`,
      ...(others.length > 0 ? [`or --over ${others.join(", --over ")}`] : []),
    ].join(", "),
  );
}
