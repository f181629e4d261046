/** What the suites ask of the editor. */
import { ok } from "node:assert/strict";
import { join } from "node:path";
import {
  type CodeLens,
  commands,
  extensions,
  type Position,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import type { NormscopeApi } from "../../src/extension/api.ts";

const extensionId = "normscope.normscope";

export const manifest = () => {
  const found = extensions.getExtension<NormscopeApi>(extensionId);
  ok(found, `${extensionId} is not installed`);
  return found.packageJSON;
};

export async function api(): Promise<NormscopeApi> {
  const found = extensions.getExtension<NormscopeApi>(extensionId);
  ok(found, `${extensionId} is not installed`);
  return await found.activate();
}

export const folder = (): string => {
  const path = workspace.workspaceFolders?.[0]?.uri.fsPath;
  ok(path, "no folder is open");
  return path;
};

export const fileUri = (name: string): Uri => Uri.file(join(folder(), name));

export async function open(name: string): Promise<TextDocument> {
  const document = await workspace.openTextDocument(fileUri(name));
  await window.showTextDocument(document);
  return document;
}

/** With what a click would do: lenses get their commands when they come into sight. */
export async function lensesOf({ uri }: TextDocument): Promise<CodeLens[]> {
  const most = 50;
  return (await commands.executeCommand("vscode.executeCodeLensProvider", uri, most)) ?? [];
}

export function positionOf(document: TextDocument, text: string): Position {
  const at = document.getText().indexOf(text);
  ok(at >= 0, `'${text}' is not in ${document.uri.fsPath}`);
  return document.positionAt(at);
}

/** A small run of the bundled Pre-LN model. */
export async function runSmall(set: Readonly<Record<string, string>> = {}) {
  const it = await api();
  const sizes = { n_layers: "2", d_model: "32", n_heads: "2", d_ff: "64", ...set };
  return it.run(fileUri("pre_ln.py").toString(), "PreLNTransformer", { set: sizes });
}
