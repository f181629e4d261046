/** Findings as entries of Problems, and as marks at the lines; a failed run as an error at its line. */
import {
  type DecorationOptions,
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  type Disposable,
  Location,
  languages,
  OverviewRulerLane,
  Range,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
  workspace,
} from "vscode";
import { type LineProblem, lineProblems } from "../present/lineProblems.ts";
import type { Ctx } from "./context.ts";
import { debounced } from "./debounced.ts";
import { isPythonFile } from "./outlines.ts";
import type { RunFailure } from "./runFailure.ts";
import { readSettings } from "./settings.ts";
import { samePath } from "./storedRun.ts";

type Severity = LineProblem["severity"];
const severities = ["error", "warning", "information"] as const satisfies readonly Severity[];

const diagnosticSeverity: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

export const problemSource = "normscope";

export function registerProblems({ extension, runs, numbers }: Ctx): Disposable[] {
  const collection = languages.createDiagnosticCollection(problemSource);
  const marks = new Map<Severity, TextEditorDecorationType>(
    severities.map((severity) => [severity, markType(extension.extensionUri, severity)]),
  );
  const isAbout = failureTexts();

  function update(document: TextDocument): void {
    if (!isPythonFile(document)) return;
    const settings = readSettings(document.uri);
    const problems = settings.enabled ? problemsOf(document) : [];
    const failed = settings.enabled ? failureIn(document) : [];
    const listed = settings.problems ? problems.map((it) => diagnostic(document, it)) : [];
    collection.set(document.uri, [...failed, ...listed]);
    for (const editor of window.visibleTextEditors) {
      if (editor.document === document) mark(editor, settings.gutterMarks ? problems : []);
    }
  }

  /** None once the text is another: a finding beside changed code may be wrong. */
  function problemsOf(document: TextDocument): LineProblem[] {
    const shown = numbers.of(document);
    if (shown === null || shown.isStale) return [];
    const { silenced } = readSettings(document.uri);
    return lineProblems(shown.run.report, shown.run.file, document.getText(), silenced).filter(
      ({ line }) => line <= document.lineCount,
    );
  }

  function failureIn(document: TextDocument): Diagnostic[] {
    const failure = runs.failure;
    if (failure?.place == null || failure.placePath === null) return [];
    if (!samePath(failure.placePath, document.uri.fsPath)) return [];
    if (failure.place.line > document.lineCount) return [];
    if (!isAbout(failure, document)) return [];
    return [failureDiagnostic(document, failure, failure.place.line)];
  }

  function mark(editor: TextEditor, problems: readonly LineProblem[]): void {
    for (const [severity, type] of marks) {
      const own = problems.filter((it) => it.severity === severity);
      editor.setDecorations(
        type,
        own.map((it): DecorationOptions => ({ range: lineRange(editor.document, it.line) })),
      );
    }
  }

  const updateAll = () => {
    for (const document of workspace.textDocuments) update(document);
  };
  const pending = new Set<TextDocument>();
  const later = debounced(() => {
    for (const document of pending) update(document);
    pending.clear();
  });
  return [
    collection,
    later,
    ...marks.values(),
    numbers.onDidChange(updateAll),
    runs.onDidProgress(updateAll),
    window.onDidChangeVisibleTextEditors(updateAll),
    workspace.onDidChangeTextDocument(({ document }) => {
      pending.add(document);
      later.schedule(readSettings(document.uri).delayMs);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("normscope")) updateAll();
    }),
  ];
}

/** Whether a failure is about the text that a document has: it is not told of another one. */
function failureTexts(): (failure: RunFailure, document: TextDocument) => boolean {
  let known: RunFailure | null = null;
  let text = "";
  return (failure, document) => {
    if (failure !== known) {
      known = failure;
      text = document.getText();
    }
    return text === document.getText();
  };
}

const markType = (extensionUri: Uri, severity: Severity): TextEditorDecorationType =>
  window.createTextEditorDecorationType({
    isWholeLine: false,
    gutterIconPath: Uri.joinPath(extensionUri, "media", "gutter", `${severity}.svg`),
    gutterIconSize: "70%",
    overviewRulerColor: new ThemeColor(`normscope.${severity}Foreground`),
    overviewRulerLane: OverviewRulerLane.Right,
  });

function diagnostic(document: TextDocument, problem: LineProblem): Diagnostic {
  const { line, severity, code, message } = problem;
  const made = new Diagnostic(lineRange(document, line), message, diagnosticSeverity[severity]);
  made.source = problemSource;
  made.code = { value: code, target: explanationUri(code) };
  return made;
}

function failureDiagnostic(document: TextDocument, failure: RunFailure, line: number): Diagnostic {
  const { message, hint, code, path } = failure;
  const text = hint === null ? message : `${message}\n${hint}`;
  const made = new Diagnostic(lineRange(document, line), text, DiagnosticSeverity.Error);
  made.source = problemSource;
  made.code = { value: code, target: explanationUri(code) };
  if (!samePath(path, document.uri.fsPath)) {
    const model = new Location(Uri.file(path), new Range(0, 0, 0, 0));
    made.relatedInformation = [new DiagnosticRelatedInformation(model, failure.subject)];
  }
  return made;
}

/** Opens the explanation that comes with the extension: none is on the network. */
export const explanationUri = (code: string): Uri =>
  Uri.parse(`command:normscope.explain?${encodeURIComponent(JSON.stringify([code]))}`);

/** The line without its indentation. */
function lineRange(document: TextDocument, line: number): Range {
  const { firstNonWhitespaceCharacterIndex: start, range } = document.lineAt(line - 1);
  return new Range(line - 1, start, line - 1, range.end.character);
}
