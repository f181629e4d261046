/** The texts that a run reads, and that its numbers belong to. */
import { readFile } from "node:fs/promises";
import { type TextDocument, workspace } from "vscode";
import { samePath } from "./storedRun.ts";

/**
 * The text of a model file as the editor shows it; null where that is what lies on the disk. The
 * engine reads all other files, so modules that it may import are saved first where they are edited.
 */
export async function editedText(path: string, root: string): Promise<string | null> {
  const edited = workspace.textDocuments.filter(
    ({ isDirty, languageId, uri }) =>
      isDirty && languageId === "python" && uri.scheme === "file" && uri.fsPath.startsWith(root),
  );
  const isModel = ({ uri }: TextDocument) => samePath(uri.fsPath, path);
  await Promise.all(edited.filter((it) => !isModel(it)).map((document) => document.save()));
  return edited.find(isModel)?.getText() ?? null;
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
