/** The texts that a run reads, and that its numbers belong to. */
import { readFile } from "node:fs/promises";
import { workspace } from "vscode";

/** The engine reads files, so what is edited is saved first: imported modules too. */
export async function saveBelow(root: string): Promise<void> {
  const edited = workspace.textDocuments.filter(
    ({ isDirty, languageId, uri }) =>
      isDirty && languageId === "python" && uri.scheme === "file" && uri.fsPath.startsWith(root),
  );
  await Promise.all(edited.map((document) => document.save()));
}

/** What the open files said when the run began: they may be edited before it ends. */
export const openTexts = (): ReadonlyMap<string, string> =>
  new Map(
    workspace.textDocuments
      .filter(({ uri }) => uri.scheme === "file")
      .map((document) => [document.uri.fsPath, document.getText()]),
  );

/** The same for the files that were measured, open or not. */
export async function textsOf(
  paths: readonly string[],
  open: ReadonlyMap<string, string>,
): Promise<Record<string, string>> {
  const entries = await Promise.all(
    paths
      .filter((path) => !path.endsWith(".onnx"))
      .map(async (path): Promise<[string, string][]> => {
        const text = open.get(path) ?? (await readFile(path, "utf8").catch(() => null));
        return text === null ? [] : [[path, text]];
      }),
  );
  return Object.fromEntries(entries.flat());
}
