/** From a configuration to what the engine is asked, and to names for it. */
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import type { ModelRequest, RunRequest } from "../protocol/engine.ts";
import type { RunConfiguration } from "../protocol/webview.ts";

/** What a run starts with where nobody said otherwise. */
export const defaultConfiguration = (
  uri: string,
  entry: string | null,
  { seed, mode, device }: Pick<RunConfiguration, "seed" | "mode" | "device">,
): RunConfiguration => ({ uri, entry, set: {}, inputs: [], loss: null, seed, mode, device });

/** The folder that the traced code may see: the workspace's, else the file's own. */
export function rootOf(path: string, workspaceFolder: string | null): string {
  if (workspaceFolder === null) return dirname(path);
  const below = relative(workspaceFolder, path);
  return below.startsWith("..") || isAbsolute(below) ? dirname(path) : workspaceFolder;
}

/** Where a model lies. */
export interface ModelPlace {
  /** Absolute path of the file. */
  readonly path: string;
  readonly root: string;
  readonly packages: string | null;
  /** The file's text where the editor has another one than the disk. */
  readonly source: string | null;
}

export function runRequest(configuration: RunConfiguration, place: ModelPlace): RunRequest {
  return { ...modelRequest(configuration, place), device: configuration.device };
}

export function modelRequest(
  { entry, set, inputs, loss, seed, mode, weights, tokens, ...how }: RunConfiguration,
  { path, root, packages, source }: ModelPlace,
): ModelRequest {
  const file = relative(root, path).replaceAll("\\", "/");
  const isOnnx = path.endsWith(".onnx");
  const tokenizer = how.tokenizer ? resolve(root, how.tokenizer) : null;
  const given = { root, file, set, inputs, loss, seed, mode, packages };
  if (isOnnx) return { ...given, entry: null };
  return {
    ...given,
    entry,
    source,
    weights: weights
      ? { file: resolve(root, weights), strict: how.strict !== false, prefix: "" }
      : null,
    // A script makes its inputs itself.
    tokens: tokens && entry !== null ? { file: resolve(root, tokens), tokenizer } : null,
  };
}

/** "pre_ln.py:PreLNTransformer". */
export const subjectOf = (path: string, entry: string | null): string =>
  entry === null ? basename(path) : `${basename(path)}:${entry}`;
