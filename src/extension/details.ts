/** Histogram and more of one value of a run: what its page asks for. */
import { readFile } from "node:fs/promises";
import { Uri, workspace } from "vscode";
import type { DetailReport } from "../protocol/engine.ts";
import type { ValueOfRun } from "../protocol/webview.ts";
import type { Ctx } from "./context.ts";
import { runRequest } from "./runRequest.ts";
import { readSettings } from "./settings.ts";
import { type StoredRun, samePath } from "./storedRun.ts";

/** null where the run's files are not what they were: the value would be another. */
export async function detailOfValue(
  { runs, engine }: Ctx,
  { runId, index }: ValueOfRun,
): Promise<DetailReport | null> {
  const stored = await runs.load(runId);
  if (stored === null || !workspace.isTrusted || !(await isUnchanged(stored))) return null;
  const { configuration, root } = stored.head;
  const uri = Uri.parse(configuration.uri);
  const { packages } = readSettings(uri);
  // The model's own text is sent as it was: the file may never have been saved so.
  const source = textOfModel(stored);
  const request = runRequest(configuration, { path: uri.fsPath, root, packages, source });
  return engine().detail({ ...request, index });
}

function textOfModel({ head, texts }: StoredRun): string | null {
  const { fsPath } = Uri.parse(head.configuration.uri);
  return Object.entries(texts).find(([path]) => samePath(path, fsPath))?.[1] ?? null;
}

/** Whether the files that a model imports are what they were. */
async function isUnchanged({ head, texts }: StoredRun): Promise<boolean> {
  const { fsPath } = Uri.parse(head.configuration.uri);
  const imported = Object.entries(texts).filter(([path]) => !samePath(path, fsPath));
  const same = imported.map(async ([path, text]) => {
    const now = await readFile(path, "utf8").catch(() => null);
    return now === text;
  });
  return (await Promise.all(same)).every((it) => it);
}
