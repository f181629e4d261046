/** From a command's arguments to what the engine is asked to trace. */
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, isAbsolute, relative, resolve, sep } from "node:path";
import {
  movedTo,
  NormscopeError,
  noEntry,
  noSuchFile,
  sourceIsBinary,
  sourceIsDirectory,
  sourceIsEmpty,
  wrongUsage,
} from "../errors.ts";
import { mainClass } from "../present/mainClass.ts";
import { filePresets } from "../present/modelFacts.ts";
import { pythonOutline, runnableClass } from "../present/pythonOutline.ts";
import type { InputSpec, Mode, ModelRequest } from "../protocol/engine.ts";
import type { Assumption } from "../protocol/report.ts";
import type { SurveyRequest } from "../protocol/survey.ts";
import { importRoot } from "./importRoot.ts";

export interface ModelOptions {
  readonly set: Readonly<Record<string, string>>;
  /** A name in the file's PRESETS; `set` replaces single arguments of it. */
  readonly preset?: string;
  readonly input: readonly InputSpec[];
  readonly loss?: string;
  readonly seed: number;
  readonly mode?: Mode;
  readonly root?: string;
  readonly packages?: string;
  /** A checkpoint; null: the weights that the seed makes. */
  readonly weights?: string | null;
  readonly weightsPrefix?: string;
  /** true unless said otherwise. */
  readonly strict?: boolean;
  readonly tokens?: string;
  readonly tokenizer?: string;
}

/** `target` is `FILE` or `FILE:CLASS`. Throws where there is nothing that could be traced. */
export function modelRequest(target: string, options: ModelOptions, cwd: string): ModelRequest {
  const { file, entry: named } = splitTarget(target);
  checkSource(resolve(cwd, file), file);
  const entry = named ?? ownEntry(resolve(cwd, file), file);
  return {
    ...placeOf(file, options, cwd),
    entry,
    set: { ...presetOf(resolve(cwd, file), file, options.preset ?? null), ...options.set },
    inputs: options.input,
    loss: options.loss ?? null,
    seed: options.seed,
    mode: options.mode ?? null,
    ...weightsOf(options, cwd, file),
    ...tokensOf(options, cwd, entry),
  };
}

/** A file that is read and not run. Throws where it has no text. */
export function surveyRequest(
  file: string,
  options: Pick<ModelOptions, "root" | "packages">,
  cwd: string,
): SurveyRequest {
  checkSource(resolve(cwd, file), file);
  return placeOf(file, options, cwd);
}

/** Where a file lies, and what it may read. */
function placeOf(
  file: string,
  { root: folder, packages }: Pick<ModelOptions, "root" | "packages">,
  cwd: string,
): SurveyRequest {
  const path = resolve(cwd, file);
  const root = folder === undefined ? importRoot(path) : resolve(cwd, folder);
  const below = relative(root, path);
  if (below.startsWith("..") || isAbsolute(below)) {
    throw wrongUsage(`'${file}' must lie below --root; that is '${folder}'`);
  }
  return {
    root,
    file: below.replaceAll(sep, "/"),
    packages: packages === undefined ? null : resolve(cwd, packages),
  };
}

function weightsOf(
  { weights = null, weightsPrefix = "", strict = true }: ModelOptions,
  cwd: string,
  file: string,
): Pick<ModelRequest, "weights"> {
  if (weights === null) return {};
  if (extname(file) === ".onnx")
    throw wrongUsage(`'${file}' has weights of its own; --weights is for Python files`);
  return { weights: { file: resolve(cwd, weights), strict, prefix: weightsPrefix } };
}

function tokensOf(
  { tokens, tokenizer }: ModelOptions,
  cwd: string,
  entry: string | null,
): Pick<ModelRequest, "tokens"> {
  if (tokens === undefined) {
    if (tokenizer === undefined) return {};
    throw wrongUsage("--tokenizer needs --tokens, the text that it divides");
  }
  if (entry === null)
    throw wrongUsage("--tokens is for a class, whose inputs are made; name it: FILE:CLASS");
  const divides = tokenizer === undefined ? null : resolve(cwd, tokenizer);
  return { tokens: { file: resolve(cwd, tokens), tokenizer: divides } };
}

export function splitTarget(target: string): { file: string; entry: string | null } {
  const [, file = target, entry = null] = /^(.+):([\p{L}_][\p{L}\p{N}_]*)$/u.exec(target) ?? [];
  return { file, entry };
}

/** The path of a request's file as the user can open it. */
export const pathForUser = (root: string, file: string, cwd: string): string => {
  const path = relative(cwd, resolve(root, file));
  return path.startsWith("..") ? resolve(root, file) : path;
};

/** Rejections name files as the user can open them, not relative to the workspace. */
export async function withPlaces<Result>(
  work: Promise<Result>,
  root: string,
  cwd: string,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NormscopeError) || error.place === null) throw error;
    throw movedTo(error, {
      ...error.place,
      file: pathForUser(root, error.place.file, cwd),
    });
  }
}

function checkSource(path: string, file: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw noSuchFile(file);
  if (stats.isDirectory()) throw sourceIsDirectory(file, pythonFiles(path));
  if (stats.size === 0) throw sourceIsEmpty(file);
  if (extname(path) !== ".onnx" && readSource(path, file).trim() === "") throw sourceIsEmpty(file);
}

/**
 * What runs where no class is named: null for a script and an ONNX file, else the class that a file's
 * PRESETS are for, or the one that its author would run. Throws where there is none.
 */
function ownEntry(path: string, file: string): string | null {
  if (extname(path) === ".onnx") return null;
  const source = readSource(path, file);
  const model = filePresets(source).length === 0 ? null : runnableClass(pythonOutline(source));
  if (model !== null) return model.name;
  const names = ["build", "step"];
  if (names.every((name) => binds(source, name))) return null;
  const main = mainClass(source);
  if (main !== null) return main.name;
  if (names.every((name) => source.includes(name))) return null;
  throw noEntry(file);
}

const binds = (source: string, name: string): boolean =>
  new RegExp(`^(?:async )?def ${name}\\b|^${name}[ \\t]*=|^from .*\\b${name}\\b`, "m").test(source);

/** What a run of a file rests on where its user named no class, and several could be meant. */
export function choiceOf(target: string, { root, file, entry }: ModelRequest): Assumption | null {
  if (entry === null || splitTarget(target).entry !== null) return null;
  const main = mainClass(readSource(resolve(root, file), file));
  if (main?.name !== entry || main.others.length === 0) return null;
  const message = `No class was named: '${entry}' was run; '${file}' also has ${main.others.join(", ")} (FILE:CLASS)`;
  return { file, line: main.line, message };
}

function presetOf(
  path: string,
  file: string,
  name: string | null,
): Readonly<Record<string, string>> {
  if (name === null) return {};
  const presets = extname(path) === ".onnx" ? [] : filePresets(readSource(path, file));
  const found = presets.find((preset) => preset.name === name);
  if (found !== undefined) return found.set;
  const names = presets.map((preset) => preset.name).join(", ");
  throw wrongUsage(
    `'${file}' has no preset '${name}'`,
    names === "" ? "It has no PRESETS; use --set" : `It has ${names}`,
  );
}

/** The text of a Python file. `file` is what messages call it. */
export function readSource(path: string, file: string): string {
  const bytes = readFileSync(path);
  const text = bytes.toString("utf8");
  if (isUtf8(bytes) && !text.includes("\0")) return text;
  const before = text.slice(0, text.search(/\ufffd|\0/));
  throw sourceIsBinary(file, before.split("\n").length);
}

const pythonFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .slice(0, 5);
