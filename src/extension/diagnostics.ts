/** Findings and failures as the editor's diagnostics. */
import {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  Location,
  Range,
  Uri,
} from "vscode";
import type { LineProblem } from "../present/lineProblems.ts";
import type { RunFailure } from "./runFailure.ts";
import { samePath } from "./storedRun.ts";

const severities: Readonly<Record<LineProblem["severity"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

export const problemSource = "normscope";

export const findingDiagnostic = (text: string, problem: LineProblem): Diagnostic =>
  made(lineRange(text, problem.line), problem.message, severities[problem.severity], problem.code);

/** `path` is that of the file with this text, in which the failure lies. */
export function failureDiagnostic(
  text: string,
  path: string,
  failure: RunFailure,
  line: number,
): Diagnostic {
  const { message, hint, code } = failure;
  const both = hint === null ? message : `${message}\n${hint}`;
  const diagnostic = made(lineRange(text, line), both, DiagnosticSeverity.Error, code);
  if (!samePath(failure.path, path)) {
    const model = new Location(Uri.file(failure.path), new Range(0, 0, 0, 0));
    diagnostic.relatedInformation = [new DiagnosticRelatedInformation(model, failure.subject)];
  }
  return diagnostic;
}

function made(
  range: Range,
  message: string,
  severity: DiagnosticSeverity,
  code: string,
): Diagnostic {
  const diagnostic = new Diagnostic(range, message, severity);
  diagnostic.source = problemSource;
  // The explanation comes with the extension: nothing is asked of the network.
  const target = `command:normscope.explain?${encodeURIComponent(JSON.stringify([code]))}`;
  diagnostic.code = { value: code, target: Uri.parse(target) };
  return diagnostic;
}

/** The line without its indentation; `line` is one-based. */
export function lineRange(text: string, line: number): Range {
  const source = text.split(/\r?\n/)[line - 1] ?? "";
  const start = source.length - source.trimStart().length;
  return new Range(line - 1, start, line - 1, source.length);
}
