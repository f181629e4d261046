/** The outline of each open Python file, read once for each of its versions. */
import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { TextDocument } from "vscode";
import { type Counterpart, counterpart } from "../present/counterpart.ts";
import { type PythonOutline, pythonOutline } from "../present/pythonOutline.ts";

const cache = new WeakMap<TextDocument, { version: number; outline: PythonOutline }>();

export function outlineOf(document: TextDocument): PythonOutline {
  const known = cache.get(document);
  if (known?.version === document.version) return known.outline;
  const outline = pythonOutline(document.getText());
  cache.set(document, { version: document.version, outline });
  return outline;
}

/** How the other placement of a class of this document is run; null where there is none. */
export async function counterpartOf(
  document: TextDocument,
  entry: string,
): Promise<Counterpart | null> {
  return (await counterpartsOf(document))(entry);
}

/** The same for all classes, with one look into the folder. */
export async function counterpartsOf(
  document: TextDocument,
): Promise<(entry: string) => Counterpart | null> {
  const outline = outlineOf(document);
  const path = document.uri.fsPath;
  const siblings = await pythonFilesBeside(path);
  return (entry) => counterpart(outline, entry, basename(path), siblings);
}

const pythonFilesBeside = async (path: string): Promise<string[]> => {
  const names = await readdir(dirname(path)).catch(() => []);
  return names.filter((name) => name.endsWith(".py"));
};

/** Files that lenses and numbers are for: not diffs' old sides, outputs or notebooks' cells. */
export const isPythonFile = ({ languageId, uri }: TextDocument): boolean =>
  languageId === "python" && uri.scheme === "file";
