/** `normscope compare MODEL --over ARGUMENT`: one model at each value of one of its arguments. */
import { resolve } from "node:path";
import { wrongUsage } from "../../errors.ts";
import { argumentChoices } from "../../present/argumentChoices.ts";
import { pythonLiteral } from "../../present/literal.ts";
import { maskPython } from "../../present/maskPython.ts";
import { formFields } from "../../present/modelForm.ts";
import { overTable } from "../../present/overTable.ts";
import { pythonOutline, splitAtCommas } from "../../present/pythonOutline.ts";
import type { ReportSide } from "../../present/reportSide.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { modelRequest, readSource } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
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
  const { argument, values } = overValues(over, argumentsOf(source, request.entry));
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

interface Argument {
  readonly name: string;
  readonly choices: readonly string[];
}

function argumentsOf(source: string, entry: string | null): Argument[] {
  const outline = pythonOutline(source);
  const model = outline.classes.find(({ name }) => name === entry);
  const fields = model === undefined ? [] : formFields(outline, model);
  return fields.map((field) => ({
    name: field.name,
    choices: argumentChoices(source, outline, field),
  }));
}

/** `norm`, whose choices the file names, or `n_layers=6,12`. Values are Python literals. */
export function overValues(
  over: string,
  fields: readonly Argument[],
): { argument: string; values: readonly string[] } {
  const [, argument = over, list = null] = /^([^=]*)=(.*)$/s.exec(over) ?? [];
  if (list !== null) return { argument, values: listed(argument, list) };
  const field = fields.find(({ name }) => name === argument);
  if (field !== undefined && field.choices.length > 0) return { argument, values: field.choices };
  const others = fields.filter(({ choices }) => choices.length > 0).map(({ name }) => name);
  if (field === undefined && fields.length > 0)
    throw wrongUsage(
      `The class has no argument '${argument}' whose choices could be found`,
      `It has ${fields.map(({ name }) => name).join(", ")}`,
    );
  throw wrongUsage(
    `Nothing names the choices of '${argument}'`,
    [
      `Write --over ${argument}=VALUE,VALUE`,
      ...(others.length > 0 ? [`or --over ${others.join(", --over ")}`] : []),
    ].join(", "),
  );
}

/** `2,4,8`, `True,False`, `(1, 2),(3, 4)`: values apart at commas outside of brackets and quotes. */
function listed(argument: string, list: string): readonly string[] {
  const parts = splitAtCommas(maskPython(list)).map(({ start, text }) =>
    list.slice(start, start + text.length).trim(),
  );
  const values = [...new Set(parts.filter((part) => part !== "").map(pythonLiteral))];
  if (values.length >= 2) return values;
  throw wrongUsage(
    `--over ${argument} needs two values or more; got '${list}'`,
    `Write --over ${argument}=VALUE,VALUE; a text with a comma in quotes`,
  );
}
