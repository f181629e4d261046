/** Edits that mend a finding, as actions of the editor. */
import {
  CodeAction,
  CodeActionKind,
  type Diagnostic,
  l10n,
  Range,
  type TextDocument,
  WorkspaceEdit,
} from "vscode";
import { findingFix } from "../present/fixes/findingFixes.ts";
import type { FixKind } from "../present/fixes/place.ts";
import type { Numbers } from "./numbers.ts";

/** None where the text is no longer the one that the finding is about. */
export function fixActions(
  numbers: Numbers,
  document: TextDocument,
  diagnostic: Diagnostic,
  code: string,
): CodeAction[] {
  const shown = numbers.of(document);
  if (shown === null || shown.isStale) return [];
  const { report, file } = shown.run;
  const line = diagnostic.range.start.line + 1;
  const finding = report.findings.find(
    (one) => one.code === code && one.file === file && one.line === line,
  );
  const fix = finding && findingFix(finding, document.getText().replaceAll("\r\n", "\n"));
  if (!fix) return [];
  const action = new CodeAction(titles[fix.kind](), CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.edit = new WorkspaceEdit();
  for (const { line: at, text } of fix.edits) {
    if (text === null) action.edit.delete(document.uri, new Range(at, 0, at + 1, 0));
    else action.edit.replace(document.uri, document.lineAt(at).range, text);
  }
  return [action];
}

const titles: Readonly<Record<FixKind, () => string>> = {
  softmaxAxis: () => l10n.t("Take softmax over the axis that is summed"),
  headWidth: () => l10n.t("Scale by the root of the queries' width"),
  divideScores: () => l10n.t("Divide the scores by the root"),
  scaleScores: () => l10n.t("Scale the scores by the root of the queries' width"),
  scaleOnce: () => l10n.t("Scale the scores once"),
  dropScale: () => l10n.t("Leave the scale to scaled_dot_product_attention"),
  hideFuture: () => l10n.t("Hide all later positions"),
  turnMask: () => l10n.t("Turn the mask round"),
  hideByInfinity: () => l10n.t("Hide with -inf"),
  maskBefore: () => l10n.t("Mask the scores before softmax"),
  isCausal: () => l10n.t("Hide later positions: is_causal=True"),
  keepMasked: () => l10n.t("Keep what masked_fill returns"),
  endOfName: () => l10n.t("Look at the end of the name"),
  shiftTargets: () => l10n.t("Take the next token as the target"),
  dropInTraining: () => l10n.t("Drop in training only"),
  registerModules: () => l10n.t("Register the modules"),
  separateLayers: () => l10n.t("Make each layer anew"),
  transposeHeads: () => l10n.t("Move heads by a transpose"),
  normBranch: () => l10n.t("Normalise the branch, not the stream"),
  keepSum: () => l10n.t("Go on with the sum"),
  overPositions: () => l10n.t("Take positions together, not samples"),
  crossEntropy: () => l10n.t("Give the logits to cross_entropy"),
  closingNorm: () => l10n.t("Add a norm behind the last block"),
  useSoftmax: () => l10n.t("Make weights by softmax"),
  softmaxOnce: () => l10n.t("Take softmax once"),
  keepGate: () => l10n.t("Keep the gate as it is"),
  capScores: () => l10n.t("Multiply by the cap again"),
  logProbabilities: () => l10n.t("Take log_softmax first"),
  squeezeColumn: () => l10n.t("Take the column as numbers"),
  meanOfKept: () => l10n.t("Take the mean over what the mask keeps"),
  epsInside: () => l10n.t("Add eps inside of the root"),
  divideByRoot: () => l10n.t("Divide by the root of the mean square"),
  keepStream: () => l10n.t("Add to the stream as it is"),
};
