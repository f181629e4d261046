/** From a configuration to what the engine is asked, and to names for it. */
import { basename, dirname, isAbsolute, relative } from "node:path";
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

export function runRequest(
  configuration: RunConfiguration,
  path: string,
  root: string,
  packages: string | null,
): RunRequest {
  return { ...modelRequest(configuration, path, root, packages), device: configuration.device };
}

export function modelRequest(
  { entry, set, inputs, loss, seed, mode }: RunConfiguration,
  path: string,
  root: string,
  packages: string | null,
): ModelRequest {
  const file = relative(root, path).replaceAll("\\", "/");
  const isOnnx = path.endsWith(".onnx");
  return { root, file, entry: isOnnx ? null : entry, set, inputs, loss, seed, mode, packages };
}

/** "pre_ln.py:PreLNTransformer". */
export const subjectOf = (path: string, entry: string | null): string =>
  entry === null ? basename(path) : `${basename(path)}:${entry}`;
