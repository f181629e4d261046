/** What `when` clauses of the manifest ask. */
import { commands, type Disposable, window, workspace } from "vscode";
import type { Ctx } from "./context.ts";
import { debounced } from "./debounced.ts";
import { isPythonFile, outlineOf } from "./outlines.ts";
import { readSettings } from "./settings.ts";

export const contextKeys = [
  "hasModel",
  "isRunning",
  "hasRuns",
  "hasCurrent",
  "failed",
  "isPinned",
  "isFiltered",
] as const;
export type ContextKey = (typeof contextKeys)[number];

export const setContextKey = (key: ContextKey, value: boolean): void =>
  void commands.executeCommand("setContext", `normscope.${key}`, value);

export function registerContextKeys({ runs, numbers }: Ctx): Disposable[] {
  const known = new Map<ContextKey, boolean>();
  const set = (key: ContextKey, value: boolean) => {
    if (known.get(key) === value) return;
    known.set(key, value);
    setContextKey(key, value);
  };
  const update = () => {
    set("isRunning", runs.running !== null);
    set("hasRuns", runs.heads().length > 0);
    set("hasCurrent", runs.current !== null);
    set("failed", runs.failure !== null);
    set("isPinned", numbers.pinned !== null);
  };
  const updateFile = () => {
    const document = window.activeTextEditor?.document;
    // A panel that takes the focus leaves the file that commands mean as it was.
    if (document === undefined) return;
    const outline = isPythonFile(document) ? outlineOf(document) : null;
    set(
      "hasModel",
      outline !== null &&
        (outline.scriptLine !== null || outline.classes.some(({ isModule }) => isModule)),
    );
  };
  const later = debounced(updateFile);
  update();
  updateFile();
  return [
    later,
    numbers.onDidChange(update),
    runs.onDidProgress(update),
    window.onDidChangeActiveTextEditor(updateFile),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document !== window.activeTextEditor?.document) return;
      later.schedule(readSettings(document.uri).delayMs);
    }),
  ];
}
