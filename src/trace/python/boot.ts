/** Starts Python in its own realm and lets the caller mount folders and call Python functions. */
import { join } from "node:path";
import { workspaceTaken } from "../../errors.ts";
import type { PythonError } from "./failure.ts";
import { type ReadableFolder, readableFolder } from "./folders.ts";
import { type HostFunction, makeOutside } from "./outside.ts";
import { toPythonPath } from "./paths.ts";
import { copyPlain, type Plain } from "./plain.ts";
import type { Inside, Outcome } from "./realm/outside.ts";
import { makeRealm } from "./realm.ts";

export interface PythonOptions {
  /** The folder that the build wrote for Python: dist/python. */
  readonly assets: string;
  /** Becomes the Python module `_normscope_host`. */
  readonly host: { readonly [name: string]: HostFunction };
}

export interface Workspace {
  /** Python reads within this folder and nowhere else. */
  readonly root: string;
  /** First on sys.path and the current folder; within `root`. */
  readonly scriptFolder: string;
  /** Folders of pure-Python packages, at the end of sys.path. */
  readonly packages?: readonly string[];
}

export type PythonResult =
  | { readonly ok: true; readonly value: Plain }
  | { readonly ok: false; readonly error: PythonError };

export interface PythonInstance {
  /**
   * Mounts the user's folders and shuts every way out; to be called once, before any user code.
   * Throws `workspaceTaken` for a root where Python's own files are.
   */
  open(workspace: Workspace): void;
  /** Calls a function of a Python module. Whatever is raised in there comes back as a value. */
  call(module: string, name: string, ...args: Plain[]): PythonResult;
}

export async function startPython(options: PythonOptions): Promise<PythonInstance> {
  const folders: ReadableFolder[] = [readableFolder(join(options.assets, "site"))];
  const host = Object.values(options.host);
  const { assets } = options;
  const inside = makeRealm(assets, makeOutside({ assets, folders, host }));
  await inside.load(true);
  inside.bindHost(Object.keys(options.host));
  return {
    open(workspace) {
      openWorkspace(inside, folders, workspace);
    },
    call: (module, name, ...args) => callPython(inside, module, name, args),
  };
}

/** Where Python keeps its library, its devices and its working files. */
const ownFolders = ["/", "/lib", "/dev", "/proc"];

/** Outer folders before those within them, so that each mount point can still be made. */
function openWorkspace(inside: Inside, folders: ReadableFolder[], workspace: Workspace): void {
  const { root, scriptFolder, packages = [] } = workspace;
  if (ownFolders.includes(toPythonPath(root))) throw workspaceTaken(root);
  const mounts = [...new Set([root, ...packages])].sort((a, b) => a.length - b.length);
  for (const folder of mounts) {
    inside.mount(toPythonPath(folder), folders.length);
    folders.push(readableFolder(folder));
  }
  const user = mounts.map(toPythonPath);
  const result = callPython(inside, "normscope_boot", "open_workspace", [
    toPythonPath(scriptFolder),
    user,
    packages.map(toPythonPath),
  ]);
  if (!result.ok) throw new Error(`internal: ${result.error.text}`);
}

function callPython(
  inside: Inside,
  module: string,
  name: string,
  args: readonly Plain[],
): PythonResult {
  const [outcome, content] = copyPlain(inside.call(module, name, args)) as unknown as Outcome;
  switch (outcome) {
    case "value":
      return { ok: true, value: content as Plain };
    case "error":
      return { ok: false, error: content as PythonError };
    case "unplain":
      return { ok: false, error: bareError("TypeError", `'${name}' returned no plain value`) };
    case "ended":
      return { ok: false, error: bareError(...endOf(content)) };
  }
}

/** Python's and V8's words for a stack that ran over, where Python could not say so itself. */
const stackWords = /call stack|stack overflow|recursion/i;

function endOf(words: string): [type: string, message: string] {
  if (stackWords.test(words)) return ["RecursionError", "maximum recursion depth exceeded"];
  return ["SystemError", `Python ended: ${words}`];
}

function bareError(type: string, message: string): PythonError {
  const text = `${type}: ${message}\n`;
  return { type, message, code: null, hint: null, frames: [], text, number: null };
}
