/** What a form says, as a command in a new file: it can be kept, and run where there is no editor. */
import { relative } from "node:path";
import { Uri, window, workspace } from "vscode";
import { runCommand, trainCommand } from "../present/commandText.ts";
import type { TrainingChoice } from "../protocol/trainingPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";
import { rootOf } from "./runRequest.ts";
import { readSettings } from "./settings.ts";

/** `choice`: one that trains, for `steps` in all. */
export async function openCommand(
  configuration: RunConfiguration,
  choice: TrainingChoice | null,
  steps?: number,
): Promise<void> {
  const uri = Uri.parse(configuration.uri);
  const root = rootOf(uri.fsPath, workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? null);
  const file = relative(root, uri.fsPath).replaceAll("\\", "/");
  const place = { root, file, packages: readSettings(uri).packages };
  const content =
    choice === null
      ? runCommand(configuration, place)
      : trainCommand(configuration, choice, place, steps);
  const document = await workspace.openTextDocument({ language: "shellscript", content });
  await window.showTextDocument(document);
}
