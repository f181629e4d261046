/** `normscope doctor FILE`: what of a file can be read, without running it. */
import { leftColumn, type Table, textCell } from "../../present/table.ts";
import type { FileSurvey, SurveyedArgument, SurveyedImport } from "../../protocol/survey.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { surveyRequest, withPlaces } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
import { textTable } from "../textTable.ts";
import { type OutputOptions, writeJson, writeTablePage } from "./shared.ts";

export interface SurveyOptions extends OutputOptions {
  readonly root?: string;
  readonly packages?: string;
}

export async function survey(
  context: Context,
  file: string,
  options: SurveyOptions,
): Promise<void> {
  const request = surveyRequest(file, options, context.cwd);
  const work = context.engine().survey(request);
  const found = await withPlaces(work, request.root, context.cwd);
  const tables = surveyTables(found);
  if (options.json !== "-") {
    writeLines(context.out, [verdict(found)]);
    for (const table of tables)
      writeLines(context.out, [
        ...heading(table.title, context.out),
        ...textTable(table, context.out),
      ]);
  }
  writeJson(context, found, options.json);
  writeTablePage(context, `Normscope doctor ${file}`, tables, options);
}

/** One sentence: what a run would meet first. */
export function verdict({ syntaxError, calls, imports, classes, isScript }: FileSurvey): string {
  if (syntaxError !== null) return `No Python: line ${syntaxError.line}, ${syntaxError.message}`;
  const unsupported = calls.filter(({ state }) => state !== "supported").length;
  const missing = imports.filter(isMissing).length;
  const runs = isScript ? "A script with build() and step()" : counted(classes.length, "class");
  const problems = [
    ...(unsupported > 0 ? [`${counted(unsupported, "call")} not supported`] : []),
    ...(missing > 0 ? [`${counted(missing, "import")} missing`] : []),
  ];
  return [runs, ...(problems.length > 0 ? problems : ["every call is supported"])].join(", ");
}

const counted = (count: number, what: string): string => {
  const many = what.endsWith("s") ? `${what}es` : `${what}s`;
  return `${count} ${count === 1 ? what : many}`;
};

const isMissing = ({ kind, guarded }: SurveyedImport): boolean => kind === "missing" && !guarded;

export function surveyTables({ calls, imports, classes }: FileSurvey): Table[] {
  const supported = calls.filter(({ state }) => state === "supported");
  const others = calls.filter(({ state }) => state !== "supported");
  const tables: Table[] = [
    {
      title: "Classes",
      columns: ["line", "class", "arguments"].map(leftColumn),
      rows: classes.map(({ name, line, arguments: given }) => [
        textCell(String(line)),
        textCell(name),
        textCell(given.map(argumentText).join(", ")),
      ]),
    },
    {
      title: "Imports",
      columns: ["line", "import", "what it is"].map(leftColumn),
      rows: imports.map((one) => [
        textCell(String(one.line)),
        textCell(one.name),
        textCell(importText(one), isMissing(one) ? "warning" : "dim"),
      ]),
    },
    {
      title: "Calls that are not supported",
      columns: ["lines", "call", "nearest that is"].map(leftColumn),
      rows: others.map(({ name, lines, nearest, state }) => [
        textCell(lines.join(", ")),
        textCell(name, "warning"),
        textCell(state === "unknown" ? "PyTorch has no such name" : nearest.join(", ")),
      ]),
    },
    {
      title: `Calls that are supported (${supported.length})`,
      columns: ["lines", "call"].map(leftColumn),
      rows: supported.map(({ name, lines }) => [textCell(lines.join(", ")), textCell(name)]),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function argumentText({ name, default: value, madeUp, config }: SurveyedArgument): string {
  if (value !== null) return `${name}=${value}`;
  if (config !== null) return `${name}: a ${config}`;
  return madeUp === null ? `${name} (needs --set ${name}=…)` : `${name} (made up: ${madeUp})`;
}

function importText({ kind, guarded }: SurveyedImport): string {
  if (kind === "stand-in") return "comes with Normscope";
  if (kind === "standard") return "standard library";
  if (kind === "local") return "workspace";
  if (kind === "package") return "folder of packages";
  return guarded ? "missing: its try takes care" : "missing: refused at first use";
}
