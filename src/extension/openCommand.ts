/** What a form says, as a command in a new file: it can be kept, and run where there is no editor. */
import { Uri, window, workspace } from "vscode";
import { commandText } from "../present/commandText.ts";
import type { TrainingChoice } from "../protocol/trainingPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";
import { rootOf, runRequest } from "./runRequest.ts";
import { readSettings } from "./settings.ts";
import { settingsOf } from "./trainingRecord.ts";

/** `choice`: one that trains, for `steps` in all. */
export async function openCommand(
  configuration: RunConfiguration,
  choice: TrainingChoice | null,
  steps?: number,
): Promise<void> {
  const uri = Uri.parse(configuration.uri);
  const root = rootOf(uri.fsPath, workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? null);
  const { packages } = readSettings(uri);
  const request = runRequest(configuration, { path: uri.fsPath, root, packages, source: null });
  const settings = choice && settingsOf(choice, root);
  const training = settings && { ...settings, steps: steps ?? settings.steps };
  const content = `# In ${root}\n${commandText(request, { training, from: root })}`;
  const document = await workspace.openTextDocument({ language: "shellscript", content });
  await window.showTextDocument(document);
}
