/** What can be done about a finding: mend it, read about it, silence it here, in the file, everywhere. */
import {
  CodeAction,
  type CodeActionContext,
  CodeActionKind,
  type Diagnostic,
  type Disposable,
  l10n,
  languages,
  type Range,
  type TextDocument,
  WorkspaceEdit,
} from "vscode";
import { silenceComment, silenceFileComment } from "../present/silence.ts";
import type { Ctx } from "./context.ts";
import { problemSource } from "./diagnostics.ts";
import { fixActions } from "./findingFixes.ts";
import type { Numbers } from "./numbers.ts";

export function registerCodeActions({ numbers }: Pick<Ctx, "numbers">): Disposable[] {
  const provider = {
    provideCodeActions: (document: TextDocument, _range: Range, context: CodeActionContext) =>
      context.diagnostics
        .filter(({ source }) => source === problemSource)
        .flatMap((diagnostic) => actions(numbers, document, diagnostic)),
  };
  const metadata = { providedCodeActionKinds: [CodeActionKind.QuickFix] };
  const selector = { language: "python", scheme: "file" };
  return [languages.registerCodeActionsProvider(selector, provider, metadata)];
}

function actions(numbers: Numbers, document: TextDocument, diagnostic: Diagnostic): CodeAction[] {
  const code = codeOf(diagnostic);
  if (code === null) return [];
  const action = (title: string): CodeAction => {
    const made = new CodeAction(title, CodeActionKind.QuickFix);
    made.diagnostics = [diagnostic];
    return made;
  };
  const explain = action(l10n.t("Explain '{0}'", code));
  explain.command = { command: "normscope.explain", title: explain.title, arguments: [code] };
  // What failed is no finding that could be silenced.
  if (isFailure(diagnostic)) return [explain];

  const line = document.lineAt(diagnostic.range.start.line);
  const onLine = action(l10n.t("Silence '{0}' on this line", code));
  onLine.edit = new WorkspaceEdit();
  onLine.edit.insert(document.uri, line.range.end, `  ${silenceComment(code)}`);

  const inFile = action(l10n.t("Silence '{0}' in this file", code));
  inFile.edit = new WorkspaceEdit();
  inFile.edit.insert(document.uri, document.positionAt(0), `${silenceFileComment(code)}\n`);

  const everywhere = action(l10n.t("Silence '{0}' in this workspace", code));
  everywhere.command = {
    command: "normscope.silenceRule",
    title: everywhere.title,
    arguments: [code],
  };
  const fixes = fixActions(numbers, document, diagnostic, code);
  return [...fixes, explain, onLine, inFile, everywhere];
}

function codeOf({ code }: Diagnostic): string | null {
  if (typeof code === "object") return String(code.value);
  return code === undefined ? null : String(code);
}

const isFailure = (diagnostic: Diagnostic): boolean =>
  /^(?:trace|plan|autodiff|runtime|engine|export|graph)\//.test(codeOf(diagnostic) ?? "") &&
  diagnostic.severity === 0;
