/** The same numbers as inlay hints: screen readers read these, and each part can be asked. */
import {
  type CancellationToken,
  type Disposable,
  EventEmitter,
  InlayHint,
  InlayHintLabelPart,
  type InlayHintsProvider,
  l10n,
  languages,
  type Range,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import type { ShownNote } from "../present/fileNumbers.ts";
import type { Ctx } from "./context.ts";
import { inlineText } from "./inlineStyle.ts";
import { isPythonFile } from "./outlines.ts";
import { readSettings, type Settings } from "./settings.ts";

export function registerInlayHints({ numbers }: Ctx): Disposable[] {
  const changed = new EventEmitter<void>();
  const provider: InlayHintsProvider = {
    onDidChangeInlayHints: changed.event,
    provideInlayHints(document: TextDocument, range: Range, token: CancellationToken) {
      const settings = readSettings(document.uri);
      const { enabled, inlineMode, renderer } = settings;
      if (!enabled || inlineMode === "off" || renderer !== "inlayHints") return [];
      const shown = isPythonFile(document) ? numbers.of(document) : null;
      if (shown === null || token.isCancellationRequested) return [];
      const cursor = window.activeTextEditor;
      const cursorLine = cursor?.document === document ? cursor.selection.active.line : -1;
      return shown.notes
        .filter(({ line }) => line - 1 >= range.start.line && line - 1 <= range.end.line)
        .filter(({ line }) => inlineMode === "all" || line - 1 === cursorLine)
        .map((note) => hint(document, note, shown.run.file, shown.isStale, settings));
    },
  };
  return [
    changed,
    languages.registerInlayHintsProvider({ language: "python", scheme: "file" }, provider),
    numbers.onDidChange(() => changed.fire()),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      const { renderer, inlineMode } = readSettings(textEditor.document.uri);
      if (renderer === "inlayHints" && inlineMode === "currentLine") changed.fire();
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("normscope")) changed.fire();
    }),
  ];
}

function hint(
  document: TextDocument,
  note: ShownNote,
  file: string,
  isStale: boolean,
  settings: Settings,
): InlayHint {
  const maxLength = Math.min(settings.maxLength, editorLimit(document));
  const part = new InlayHintLabelPart(inlineText(note, isStale, { ...settings, maxLength }));
  part.tooltip = l10n.t(
    "→ root mean square of the value, ← of its gradient, from the first layer to the last",
  );
  part.command = {
    command: "normscope.showValue",
    title: l10n.t("Histogram and more"),
    arguments: [file, note.note.line],
  };
  const made = new InlayHint(document.lineAt(note.line - 1).range.end, [part]);
  made.paddingLeft = true;
  return made;
}

/** Beyond this the editor itself cuts a line's hints. */
function editorLimit({ uri }: TextDocument): number {
  const editor = workspace.getConfiguration("editor.inlayHints", uri);
  return editor.get<number>("maximumLength", 0) || Number.POSITIVE_INFINITY;
}
