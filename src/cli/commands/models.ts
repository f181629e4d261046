/** `normscope models`: the model files of a folder, what they are, and what can be set. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { wrongUsage } from "../../errors.ts";
import { type FilePreset, filePresets, modelFacts } from "../../present/modelFacts.ts";
import { type ClassOutline, pythonOutline, runnableClass } from "../../present/pythonOutline.ts";
import { leftColumn, rightColumn, type Table, textCell } from "../../present/table.ts";
import type { FormFact } from "../../protocol/webview.ts";
import type { Context } from "../context.ts";
import { withPlaces } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
import { textTable } from "../textTable.ts";
import { printable } from "../textWidth.ts";
import { type OutputOptions, writeJson, writeTablePage } from "./shared.ts";

export interface ModelsOptions extends OutputOptions {
  /** true: of every preset; a text: of the files and presets with it in their name. */
  readonly count?: boolean | string;
}

export interface ModelEntry {
  /** What `normscope run` takes. */
  readonly target: string;
  readonly summary: string;
  readonly parameters: ClassOutline["parameters"];
  readonly presets: readonly FilePreset[];
  readonly facts: readonly FormFact[];
}

interface FoundModel extends ModelEntry {
  /** In the folder. */
  readonly file: string;
  readonly entry: string;
}

/** Said with the list: models that people ask for, and that nobody outside knows. */
const notPublic =
  "The architectures of Claude and Gemini are not public; Gemma is Gemini's open sibling.";

export async function models(
  context: Context,
  folder: string | null,
  options: ModelsOptions,
): Promise<void> {
  const path = folder === null ? context.modelsFolder : resolve(context.cwd, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw wrongUsage(`A folder of models is needed; '${folder}' is none`);
  }
  const found = foundModels(path, context.cwd);
  if (options.count !== undefined) {
    const named = options.count === true ? found : found.flatMap(only(String(options.count)));
    if (named.length === 0) throw wrongUsage(`No model and no preset is named '${options.count}'`);
    return countAll(context, path, named, options);
  }
  const said = folder === null ? [notPublic] : [];
  if (options.json !== "-")
    writeLines(context.out, [...found.flatMap((it) => entryText(it, context)), ...said]);
  writeJson(context, { models: found.map(entryOf) }, options.json);
  writeTablePage(context, "Normscope models", [modelTable(found)], options);
}

export const modelEntries = (folder: string, cwd: string): ModelEntry[] =>
  foundModels(folder, cwd).map(entryOf);

const entryOf = ({ target, summary, parameters, presets, facts }: FoundModel): ModelEntry => ({
  target,
  summary,
  parameters,
  presets,
  facts,
});

function foundModels(folder: string, cwd: string): FoundModel[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".py"));
  return files.sort().flatMap((file): FoundModel[] => {
    const path = join(folder, file);
    const source = readFileSync(path, "utf8");
    const outline = pythonOutline(source);
    const model = runnableClass(outline);
    if (model === null) return [];
    const { name: entry, summary, parameters } = model;
    return [
      {
        file,
        entry,
        target: `${relative(cwd, path)}:${entry}`,
        summary: outline.summary || summary,
        parameters,
        presets: filePresets(source),
        facts: modelFacts(source),
      },
    ];
  });
}

function entryText({ target, summary, parameters, presets, facts }: ModelEntry, context: Context) {
  const { out } = context;
  const settings = parameters.map(({ name, value }) => `${name}=${value}`).join("  ");
  const named = presets.map(({ name }) => name).join("  ");
  return [
    out.paint("strong", printable(target)),
    `  ${printable(summary)}`,
    ...factLines(facts, context),
    out.paint("dim", `  ${printable(settings)}`),
    ...(named === "" ? [] : [out.paint("dim", `  --preset ${printable(named)}`)]),
    "",
  ];
}

/** Each fact with its source. */
function factLines(facts: readonly FormFact[], { out }: Context): string[] {
  const wide = Math.max(0, ...facts.map(({ name }) => name.length));
  return facts.map(({ name, fact, source }) => {
    const text = `  ${printable(name).padEnd(wide)}  ${printable(fact)}`;
    return source === "" ? text : `${text}  ${out.paint("dim", printable(source))}`;
  });
}

const modelTable = (entries: readonly ModelEntry[]): Table => ({
  title: "Models",
  columns: ["model", "what it is", "facts", "--preset", "--set"].map(leftColumn),
  rows: entries.map(({ target, summary, parameters, presets, facts }) => [
    textCell(target),
    textCell(summary),
    textCell(facts.map(({ name, fact, source }) => `${name}: ${fact} (${source})`).join("; ")),
    textCell(presets.map(({ name }) => name).join(" ")),
    textCell(parameters.map(({ name, value }) => `${name}=${value}`).join(" ")),
  ]),
});

/** The model with the presets that have `text` in their name; all where the file has. */
const only =
  (text: string) =>
  (model: FoundModel): FoundModel[] => {
    if (model.file.includes(text)) return [model];
    const presets = model.presets.filter(({ name }) => name.includes(text));
    return presets.length === 0 ? [] : [{ ...model, presets }];
  };

/** The parameters of each preset; of a file without presets, of the model as it is by default. */
async function countAll(
  context: Context,
  root: string,
  found: readonly FoundModel[],
  options: ModelsOptions,
): Promise<void> {
  const asked = found.map(({ file, entry, presets }) => ({
    file,
    entry,
    sets: presets.length === 0 ? [{}] : presets.map(({ set }) => set),
  }));
  const work = context.engine().count({ root, models: asked });
  const counts = await withPlaces(work, root, context.cwd);
  const rows = found.flatMap(({ target, presets }, i) =>
    (counts[i] ?? []).map((parameters, at) => ({
      target,
      preset: presets[at]?.name ?? null,
      parameters,
    })),
  );
  const table: Table = {
    title: "Parameters",
    columns: [leftColumn("model"), leftColumn("--preset"), rightColumn("parameters")],
    rows: rows.map(({ target, preset, parameters }) => [
      textCell(target),
      textCell(preset ?? "–"),
      { text: parameters.toLocaleString("en-US"), value: parameters },
    ]),
  };
  if (options.json !== "-") writeLines(context.out, textTable(table, context.out));
  writeJson(context, { counts: rows }, options.json);
  writeTablePage(context, "Normscope models", [table], options);
}
