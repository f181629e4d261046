/** From numbers to the source that made them. */
import { join } from "node:path";
import { l10n, Position, Range, TextEditorRevealType, Uri, window, workspace } from "vscode";
import { keptLines } from "../present/keptLines.ts";
import { type StoredRun, samePath } from "./storedRun.ts";

/** `line` of the text that was run; where it has moved since, its place now. */
export const revealLine = ({ head, texts }: StoredRun, file: string, line: number): Promise<void> =>
  revealPath(join(head.root, file), line, texts);

/** `texts`: by absolute path, what the files said when the line was told. */
export async function revealPath(
  path: string,
  line: number,
  texts: StoredRun["texts"] = {},
): Promise<void> {
  const document = await workspace.openTextDocument(Uri.file(path));
  const known = Object.keys(texts).find((it) => samePath(it, path));
  const then = known === undefined ? undefined : texts[known];
  const kept = then === undefined ? null : keptLines(then, document.getText());
  const now = kept?.now.get(line) ?? kept?.replaced.get(line) ?? line;
  const at = new Position(Math.min(now, document.lineCount) - 1, 0);
  // Not over the panel that was clicked in.
  const column = window.visibleTextEditors.find((it) => it.document === document)?.viewColumn;
  const editor = await window.showTextDocument(document, {
    ...(column === undefined ? {} : { viewColumn: column }),
    selection: new Range(at, at),
  });
  editor.revealRange(new Range(at, at), TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The line that made the module's last output, else its class. */
export async function revealModule(stored: StoredRun, path: string): Promise<void> {
  const { report } = stored;
  const value = report.values.findLast(({ module }) => module === path);
  const module = report.modules.find((it) => it.path === path);
  const parent = report.values.findLast(({ module: of }) => of?.startsWith(`${path}.`) ?? false);
  const place =
    module?.file != null && module.line !== null
      ? { file: module.file, line: module.line }
      : (value ?? parent);
  if (place === undefined) {
    void window.showInformationMessage(l10n.t("'{0}' ran no line of a file of yours", path));
    return;
  }
  await revealLine(stored, place.file, place.line);
}
