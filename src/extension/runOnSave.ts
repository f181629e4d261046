/** A saved file that was run is run again, with what was set for it. */
import { type Disposable, workspace } from "vscode";
import type { Ctx } from "./context.ts";
import { isCancelled } from "./runs.ts";
import { readSettings } from "./settings.ts";

export function registerRunOnSave({ runs, numbers, log }: Ctx): Disposable[] {
  return [
    workspace.onDidSaveTextDocument((document) => {
      const { enabled, runOnSave } = readSettings(document.uri);
      if (!enabled || !runOnSave || !workspace.isTrusted || runs.running !== null) return;
      const shown = numbers.of(document);
      const failed = runs.failure?.placePath === document.uri.fsPath ? runs.failure : null;
      // Only what was run by hand before, and only if its text is another now.
      const again = failed ?? (shown?.isStale ? shown.run.stored.head : null);
      if (again === null) return;
      runs.run(again.configuration).catch((error: unknown) => {
        // Problems and the status bar say it; a message at every save would be in the way.
        if (!isCancelled(error)) log.error(String(error));
      });
    }),
  ];
}
