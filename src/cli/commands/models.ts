/** `normscope models`: the model files of a folder, what they are, and what can be set. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { wrongUsage } from "../../errors.ts";
import { type ClassOutline, pythonOutline, runnableClass } from "../../present/pythonOutline.ts";
import { leftColumn, type Table, textCell } from "../../present/table.ts";
import type { Context } from "../context.ts";
import { writeLines } from "../output.ts";
import { printable } from "../textWidth.ts";
import { type OutputOptions, writeJson, writeTablePage } from "./shared.ts";

export interface ModelEntry {
  /** What `normscope run` takes. */
  readonly target: string;
  readonly summary: string;
  readonly parameters: ClassOutline["parameters"];
}

export function models(context: Context, folder: string | null, options: OutputOptions): void {
  const path = folder === null ? context.modelsFolder : resolve(context.cwd, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw wrongUsage(`A folder of models is needed; '${folder}' is none`);
  }
  const entries = modelEntries(path, context.cwd);
  if (options.json !== "-")
    writeLines(
      context.out,
      entries.flatMap((it) => entryText(it, context)),
    );
  writeJson(context, { models: entries }, options.json);
  writeTablePage(context, "Normscope models", [modelTable(entries)], options);
}

export function modelEntries(folder: string, cwd: string): ModelEntry[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".py"));
  return files.sort().flatMap((name): ModelEntry[] => {
    const path = join(folder, name);
    const outline = pythonOutline(readFileSync(path, "utf8"));
    const model = runnableClass(outline);
    if (model === null) return [];
    const { name: entry, summary, parameters } = model;
    const target = `${relative(cwd, path)}:${entry}`;
    return [{ target, summary: outline.summary || summary, parameters }];
  });
}

function entryText({ target, summary, parameters }: ModelEntry, { out }: Context): string[] {
  const settings = parameters.map(({ name, value }) => `${name}=${value}`).join("  ");
  return [
    out.paint("strong", printable(target)),
    `  ${printable(summary)}`,
    out.paint("dim", `  ${printable(settings)}`),
    "",
  ];
}

const modelTable = (entries: readonly ModelEntry[]): Table => ({
  title: "Models",
  columns: ["model", "what it is", "--set"].map(leftColumn),
  rows: entries.map(({ target, summary, parameters }) => [
    textCell(target),
    textCell(summary),
    textCell(parameters.map(({ name, value }) => `${name}=${value}`).join(" ")),
  ]),
});
