/** The extension's life: it registers its parts; whatever is heavy waits until it is asked for. */
import { type ExtensionContext, Uri, window } from "vscode";
import { registerCommands } from "./commands.ts";
import type { Ctx } from "./context.ts";
import { type EngineOnDemand, engineOnDemand } from "./engineOnDemand.ts";
import { openHistory } from "./history.ts";
import { registerInlineValues } from "./inlineValues.ts";
import { registerLenses } from "./lenses.ts";
import { createNumbers } from "./numbers.ts";
import { createRuns } from "./runs.ts";

let engine: EngineOnDemand | null = null;

export function activate(extension: ExtensionContext): void {
  const log = window.createOutputChannel("Normscope", { log: true });
  const enginePath = Uri.joinPath(extension.extensionUri, "dist", "engine.mjs").fsPath;
  const started = engineOnDemand(enginePath, log);
  engine = started;
  const storage = extension.storageUri ?? extension.globalStorageUri;
  const runs = createRuns(openHistory(Uri.joinPath(storage, "runs").fsPath), started.get);
  const numbers = createNumbers(runs);
  const ctx: Ctx = { extension, log, runs, numbers, engine: started.get };
  extension.subscriptions.push(
    log,
    runs,
    numbers,
    ...registerLenses(ctx),
    ...registerInlineValues(ctx),
    ...registerCommands(ctx),
  );
}

/** The window waits for this: no process outlives it. */
export async function deactivate(): Promise<void> {
  await engine?.dispose();
  engine = null;
}
