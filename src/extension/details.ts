/** Histogram and more of one value of a run: what its page asks for. */
import { readFile } from "node:fs/promises";
import { Uri, workspace } from "vscode";
import type { DetailReport } from "../protocol/engine.ts";
import type { ValueOfRun } from "../protocol/webview.ts";
import type { Ctx } from "./context.ts";
import { runRequest } from "./runRequest.ts";
import { readSettings } from "./settings.ts";
import type { StoredRun } from "./storedRun.ts";

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
  return engine().detail({ ...runRequest(configuration, uri.fsPath, root, packages), index });
}

async function isUnchanged({ texts }: StoredRun): Promise<boolean> {
  const same = Object.entries(texts).map(async ([path, text]) => {
    const now = await readFile(path, "utf8").catch(() => null);
    return now === text;
  });
  return (await Promise.all(same)).every((it) => it);
}
