/** Marks of findings in the gutter and the overview ruler: values have none. */
import {
  type DecorationOptions,
  type Disposable,
  OverviewRulerLane,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
} from "vscode";
import type { LineProblem } from "../present/lineProblems.ts";
import { lineRange } from "./diagnostics.ts";

type Severity = LineProblem["severity"];
const severities = ["error", "warning", "information"] as const satisfies readonly Severity[];

export interface FindingMarks {
  draw(editor: TextEditor, problems: readonly LineProblem[]): void;
  readonly parts: readonly Disposable[];
}

export function createFindingMarks(extensionUri: Uri): FindingMarks {
  const types = severities.map((severity) => ({
    severity,
    type: markType(extensionUri, severity),
  }));
  return {
    draw(editor, problems) {
      const text = problems.length === 0 ? "" : editor.document.getText();
      for (const { severity, type } of types) {
        const own = problems.filter((it) => it.severity === severity);
        const options = own.map((it): DecorationOptions => ({ range: lineRange(text, it.line) }));
        editor.setDecorations(type, options);
      }
    },
    parts: types.map(({ type }) => type),
  };
}

/** A shape of its own for each, not only a colour. */
const markType = (extensionUri: Uri, severity: Severity): TextEditorDecorationType =>
  window.createTextEditorDecorationType({
    gutterIconPath: Uri.joinPath(extensionUri, "media", "gutter", `${severity}.svg`),
    gutterIconSize: "70%",
    overviewRulerColor: new ThemeColor(`normscope.${severity}Foreground`),
    overviewRulerLane: OverviewRulerLane.Right,
  });
