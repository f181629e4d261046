/** The packaged extension, and folders with models to open in it. */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** What scripts/package.mjs made for this machine. */
export function packagedExtension(target = `${process.platform}-${process.arch}`): string {
  const out = process.env["NORMSCOPE_VSIX"] ?? join(root, "out");
  const file = join(out, `normscope-${target}.vsix`);
  if (!existsSync(file)) throw new Error(`'${file}' is not there: run npm run package`);
  return file;
}

export const commandLine = join(root, "bin/normscope.mjs");

export interface Folder {
  readonly path: string;
  remove(): void;
}

/** A workspace of its own with the bundled models in it. */
export function modelFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "ns-models-"));
  for (const name of ["pre_ln.py", "post_ln.py"])
    cpSync(join(root, "models", name), join(path, name));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
