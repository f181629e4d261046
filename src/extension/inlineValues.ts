/** Numbers after the lines that made them, as decorations. */
import {
  type DecorationOptions,
  DecorationRangeBehavior,
  type Disposable,
  Range,
  TabInputTextDiff,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  window,
  workspace,
} from "vscode";
import type { ShownNote } from "../present/fileNumbers.ts";
import type { Ctx } from "./context.ts";
import { debounced } from "./debounced.ts";
import { inlineText } from "./inlineStyle.ts";
import { isPythonFile } from "./outlines.ts";
import { readSettings, type Settings } from "./settings.ts";

/** One decoration type each, whatever the number of lines. */
const styles = ["value", "stale", "nonFinite"] as const;
type Style = (typeof styles)[number];

const colours: Readonly<Record<Style, string>> = {
  value: "normscope.valueForeground",
  stale: "normscope.staleForeground",
  nonFinite: "normscope.errorForeground",
};

export function registerInlineValues({ numbers }: Ctx): Disposable[] {
  const types = new Map<Style, TextEditorDecorationType>(
    styles.map((style) => [style, decorationType(style)]),
  );
  const drawAll = () => {
    for (const editor of window.visibleTextEditors) draw(editor);
  };
  const later = debounced(drawAll);

  function draw(editor: TextEditor): void {
    const settings = readSettings(editor.document.uri);
    const byStyle = isWanted(editor, settings) ? decorations(editor, settings) : emptyStyles();
    for (const [style, type] of types) editor.setDecorations(type, byStyle[style]);
  }

  function decorations(editor: TextEditor, settings: Settings): ByStyle {
    const shown = numbers.of(editor.document);
    const byStyle = emptyStyles();
    if (shown === null) return byStyle;
    const cursorLines = new Set(editor.selections.map(({ active }) => active.line));
    for (const note of shown.notes) {
      if (settings.inlineMode === "currentLine" && !cursorLines.has(note.line - 1)) continue;
      byStyle[styleOf(note, shown.isStale)].push(decoration(editor, note, shown.isStale, settings));
    }
    return byStyle;
  }

  return [
    later,
    ...types.values(),
    numbers.onDidChange(drawAll),
    window.onDidChangeVisibleTextEditors(drawAll),
    // At once: numbers of an edited line must not stand in the way of what is typed.
    workspace.onDidChangeTextDocument(({ document }) => {
      for (const editor of window.visibleTextEditors) {
        if (editor.document === document) draw(editor);
      }
    }),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      const { inlineMode, delayMs } = readSettings(textEditor.document.uri);
      if (inlineMode === "currentLine") later.schedule(delayMs);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("normscope")) drawAll();
    }),
  ];
}

type ByStyle = Record<Style, DecorationOptions[]>;
const emptyStyles = (): ByStyle => ({ value: [], stale: [], nonFinite: [] });

const decorationType = (style: Style): TextEditorDecorationType =>
  window.createTextEditorDecorationType({
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
    after: {
      color: new ThemeColor(colours[style]),
      fontStyle: style === "stale" ? "italic" : "normal",
    },
  });

function styleOf({ note }: ShownNote, isStale: boolean): Style {
  if (isStale) return "stale";
  return note.nonFinite === "" ? "value" : "nonFinite";
}

function decoration(
  { document }: TextEditor,
  note: ShownNote,
  isStale: boolean,
  settings: Settings,
): DecorationOptions {
  const { end } = document.lineAt(note.line - 1).range;
  const contentText = inlineText(note, isStale, settings);
  const after = { contentText, margin: `0 0 0 ${settings.margin}ch` };
  return { range: new Range(end, end), renderOptions: { after } };
}

function isWanted(editor: TextEditor, settings: Settings): boolean {
  const { enabled, inlineMode, renderer, inDiffEditors } = settings;
  if (!enabled || inlineMode === "off" || renderer !== "decorations") return false;
  return isPythonFile(editor.document) && (inDiffEditors || !isInDiff(editor));
}

function isInDiff({ viewColumn, document }: TextEditor): boolean {
  const group = window.tabGroups.all.find((it) => it.viewColumn === viewColumn);
  const input = group?.activeTab?.input;
  return input instanceof TabInputTextDiff && input.modified.toString() === document.uri.toString();
}
