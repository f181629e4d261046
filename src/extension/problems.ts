/** Findings of the runs that are shown, and the failure of the last one, in Problems. */
import { relative } from "node:path";
import {
  type Diagnostic,
  type Disposable,
  languages,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import { type LineProblem, lineProblems, trainingProblems } from "../present/lineProblems.ts";
import type { Ctx } from "./context.ts";
import { debounced } from "./debounced.ts";
import { failureDiagnostic, findingDiagnostic, problemSource } from "./diagnostics.ts";
import { createFindingMarks } from "./findingMarks.ts";
import { isPythonFile } from "./outlines.ts";
import type { RunFailure } from "./runFailure.ts";
import { readSettings } from "./settings.ts";
import { fileInReport, samePath } from "./storedRun.ts";

export function registerProblems({ extension, runs, numbers, trainings }: Ctx): Disposable[] {
  const collection = languages.createDiagnosticCollection(problemSource);
  const marks = createFindingMarks(extension.extensionUri);
  const isAbout = failureTexts();
  /** Files that are not open, and have entries all the same. */
  let closed: readonly string[] = [];

  function update(document: TextDocument): void {
    if (!isPythonFile(document)) return;
    const { enabled, problems: isListed, gutterMarks } = readSettings(document.uri);
    const text = document.getText();
    const problems = enabled ? [...problemsOf(document), ...trainedProblems(document)] : [];
    const failed = enabled ? failureIn(document) : [];
    const listed = isListed ? problems.map((it) => findingDiagnostic(text, it)) : [];
    collection.set(document.uri, [...failed, ...listed]);
    for (const editor of window.visibleTextEditors) {
      if (editor.document === document) marks.draw(editor, gutterMarks ? problems : []);
    }
  }

  /** None once the text is another: a finding beside changed code may be wrong. */
  function problemsOf(document: TextDocument): LineProblem[] {
    const shown = numbers.of(document);
    if (shown === null || shown.isStale) return [];
    const { silenced } = readSettings(document.uri);
    return lineProblems(shown.run.report, shown.run.file, document.getText(), silenced);
  }

  /** Of the last run of training that ended, if it was of this very text. */
  function trainedProblems(document: TextDocument): LineProblem[] {
    const path = document.uri.fsPath;
    const text = document.getText();
    const last = trainings.all().find(({ configuration, state }) => {
      return state !== "running" && samePath(Uri.parse(configuration.uri).fsPath, path);
    });
    if (last === undefined || last.source !== text) return [];
    const file = relative(last.root, path).replaceAll("\\", "/");
    return trainingProblems(last.findings, file, text, readSettings(document.uri).silenced);
  }

  function failureIn(document: TextDocument): Diagnostic[] {
    const failure = runs.failure;
    const path = document.uri.fsPath;
    if (failure?.place == null || failure.placePath === null) return [];
    if (!samePath(failure.placePath, path) || !isAbout(failure, document)) return [];
    return [failureDiagnostic(document.getText(), path, failure, failure.place.line)];
  }

  /** Modules that a model imports are measured too, and most of them are not open. */
  function updateClosed(): void {
    const { current, failure } = runs;
    const isOpen = (path: string) =>
      workspace.textDocuments.some(({ uri }) => samePath(uri.fsPath, path));
    const lists = new Map<string, Diagnostic[]>();
    const { enabled, problems, silenced } = readSettings();
    if (enabled && problems && current !== null && !runs.isCleared) {
      for (const [path, text] of Object.entries(current.texts)) {
        const file = fileInReport(current.head, path);
        const found = lineProblems(current.report, file, text, silenced);
        if (!isOpen(path))
          lists.set(
            path,
            found.map((it) => findingDiagnostic(text, it)),
          );
      }
    }
    const path = failure?.placePath ?? null;
    if (enabled && path !== null && failure?.place != null && !isOpen(path)) {
      lists.set(path, [failureDiagnostic("", path, failure, failure.place.line)]);
    }
    for (const old of closed) {
      if (!lists.has(old) && !isOpen(old)) collection.delete(Uri.file(old));
    }
    for (const [file, list] of lists) collection.set(Uri.file(file), list);
    closed = [...lists.keys()];
  }

  const updateAll = () => {
    for (const document of workspace.textDocuments) update(document);
    updateClosed();
  };
  const pending = new Set<TextDocument>();
  const later = debounced(() => {
    for (const document of pending) update(document);
    pending.clear();
  });
  return [
    collection,
    later,
    ...marks.parts,
    numbers.onDidChange(updateAll),
    runs.onDidProgress(updateAll),
    trainings.onDidChange(updateAll),
    window.onDidChangeVisibleTextEditors(updateAll),
    workspace.onDidChangeTextDocument(({ document }) => {
      pending.add(document);
      later.schedule(readSettings(document.uri).delayMs);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => {
      collection.delete(uri);
      updateClosed();
    }),
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
