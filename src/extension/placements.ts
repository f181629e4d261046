/** The Pre-LN and the Post-LN form of a configured model. */
import { Uri, workspace } from "vscode";
import type { RunConfiguration } from "../protocol/webview.ts";
import { counterpartOf } from "./outlines.ts";

/** The model as configured comes last, so that its numbers are those that stay. */
export async function placementPair(
  configuration: RunConfiguration,
): Promise<readonly [RunConfiguration, RunConfiguration] | null> {
  const { entry, set } = configuration;
  if (entry === null) return null;
  const uri = Uri.parse(configuration.uri);
  const document = await workspace.openTextDocument(uri);
  const found = await counterpartOf(document, entry);
  switch (found?.kind) {
    case undefined:
      return null;
    case "class":
      return [{ ...configuration, entry: found.entry }, configuration];
    case "file": {
      const other = Uri.joinPath(uri, "..", found.file).toString();
      return [{ ...configuration, uri: other, entry: found.entry }, configuration];
    }
    case "argument": {
      const placed = (value: string) => ({
        ...configuration,
        set: { ...set, [found.name]: value },
      });
      return [placed(found.post), placed(found.pre)];
    }
  }
}
