/** "Convert 'Block' to Post-LN": the norms of a class elsewhere, previewed before anything is edited. */
import {
  CodeAction,
  CodeActionKind,
  type Disposable,
  l10n,
  languages,
  Range,
  type TextDocument,
  WorkspaceEdit,
  window,
} from "vscode";
import { pythonOutline } from "../present/pythonOutline.ts";
import { lineEdits } from "../present/unifiedDiff.ts";
import type { RewriteTarget } from "../protocol/rewrite.ts";
import type { Ctx } from "./context.ts";

const kind = CodeActionKind.RefactorRewrite;

const titles: Readonly<Record<RewriteTarget, string>> = {
  post: "Post-LN",
  pre: "Pre-LN",
  peri: "peri-norm",
  rms: "RMSNorm",
};

interface Conversion {
  readonly document: TextDocument;
  readonly entry: string;
  readonly to: RewriteTarget;
}

/** What each action that was offered would do. */
const offered = new WeakMap<CodeAction, Conversion>();

export function registerConversions(ctx: Ctx): Disposable[] {
  const provider = {
    provideCodeActions: (document: TextDocument, range: Range) => conversions(document, range),
    /** The text is asked for once the action is chosen. */
    resolveCodeAction: (action: CodeAction) => resolved(ctx, action),
  };
  const selector = { language: "python", scheme: "file" };
  const metadata = { providedCodeActionKinds: [kind] };
  return [languages.registerCodeActionsProvider(selector, provider, metadata)];
}

/** Of the class around the cursor, where its text may have steps. */
function conversions(document: TextDocument, range: Range): CodeAction[] {
  const text = document.getText();
  const line = range.start.line + 1;
  const outline = pythonOutline(text).classes;
  const found = outline.find((cls) => cls.line <= line && line <= cls.endLine);
  if (found === undefined) return [];
  const own = text
    .split("\n")
    .slice(found.line - 1, found.endLine)
    .join("\n");
  const isReady = /\bTransformer(?:Encoder|Decoder)?(?:Layer)?\(/.test(own);
  const speaksOfSteps = /norm|\bln|_ln/i.test(own) && /\+/.test(own) && /def \w+\(self/.test(own);
  if (!isReady && !speaksOfSteps) return [];
  return (Object.keys(titles) as RewriteTarget[]).map((to) => {
    const action = new CodeAction(l10n.t("Convert '{0}' to {1}", found.name, titles[to]), kind);
    offered.set(action, { document, entry: found.name, to });
    return action;
  });
}

async function resolved(ctx: Ctx, action: CodeAction): Promise<CodeAction> {
  const conversion = offered.get(action);
  if (conversion === undefined) return action;
  const { document, entry, to } = conversion;
  const text = document.getText().replaceAll("\r\n", "\n");
  const answer = await ctx.engine().rewrite({ text, entry, to });
  if ("refused" in answer) {
    const { line, refused } = answer;
    void window.showWarningMessage(l10n.t("Line {0}: nothing is edited: {1}", line, refused));
    return action;
  }
  action.edit = new WorkspaceEdit();
  for (const { start, end, text: lines } of lineEdits(text, answer.text)) {
    const confirmed = { needsConfirmation: true, label: action.title };
    action.edit.replace(document.uri, new Range(start, 0, end, 0), lines, confirmed);
  }
  return action;
}
