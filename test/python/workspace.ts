/** A workspace in the temporary folder and Python opened on it, for one test file. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Printed } from "../../src/errors/printed.ts";
import { printedIn } from "../../src/trace/printed.ts";
import { type PythonInstance, startPython } from "../../src/trace/python/boot.ts";
import type { HostFunction } from "../../src/trace/python/outside.ts";

export const assets = join(import.meta.dirname, "../../dist/python");

/** Writes files by their relative paths; the folder is deleted when the test or the file is over. */
export function workspaceWith(
  files: Record<string, string>,
  { name = "workspace", whenOver = onTestFinished as (clean: () => void) => void } = {},
): string {
  const parent = mkdtempSync(join(realpathSync(tmpdir()), "normscope-"));
  whenOver(() => rmSync(parent, { recursive: true, force: true }));
  const root = join(parent, name);
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export interface OpenPython extends PythonInstance {
  /** What Python has written to stdout and stderr. */
  printed(): readonly Printed[];
}

export async function pythonIn(
  root: string,
  host: Record<string, HostFunction> = {},
  packages: readonly string[] = [],
): Promise<OpenPython> {
  const python = await startPython({ assets, host });
  python.open({ root, scriptFolder: root, packages });
  return { ...python, printed: () => printedIn(python, root) };
}
