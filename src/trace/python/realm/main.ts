/**
 * Python in a JavaScript realm of its own, which has the language and nothing else: no Node, no
 * files, no network, no code from strings. Whatever Python reaches in here, it is still in here.
 */
import "./shell.ts";
import { copyPlain } from "../plain.ts";
import { mountFolder } from "./folderView.ts";
import { hostFunction, toPlain } from "./hostFunctions.ts";
import { outside } from "./outer.ts";
import type { Inside } from "./outside.ts";
import { loadPython, type Pyodide, type PythonObject } from "./pyodide.ts";

/** Where python/ of the build is, mounted as number 0. Baked into the snapshot's code objects. */
const siteFolder = "/lib/normscope";

let python: Pyodide | null = null;
let callEntry: PythonObject | null = null;

function loaded(): Pyodide {
  if (python === null) throw new Error("internal: Python is not loaded");
  return python;
}

export const inside: Inside = {
  async load(withSnapshot) {
    python = await loadPython(withSnapshot ? snapshot() : null);
    mountFolder(python.FS, siteFolder, 0);
    python.setStdin({ stdin: () => null });
    python.setStdout({ write, isatty: false });
    python.setStderr({ write, isatty: false });
  },

  makeSnapshot() {
    loaded().runPython(`import sys; sys.path.insert(0, "${siteFolder}"); import normscope_boot`);
    loaded().runPython("normscope_boot.prepare_snapshot()");
    return loaded().makeMemorySnapshot();
  },

  mount(folder, mount) {
    mountFolder(loaded().FS, folder, mount);
  },

  bindHost(names) {
    const boot = loaded().pyimport("normscope_boot");
    const raise = boot["raise_error"] as PythonObject;
    for (const [index, name] of names.entries()) {
      boot["bind_host"]?.(name, hostFunction(loaded(), raise, index));
    }
  },

  call(module, name, args) {
    callEntry ??= loaded().pyimport("normscope_boot")["call"] as PythonObject;
    let result: unknown;
    try {
      const own = args.map((argument) => loaded().toPy(copyPlain(argument) ?? undefined));
      result = callEntry(module, name, ...own);
    } catch (error) {
      return ["ended", String(error)];
    }
    try {
      return toPlain(result);
    } catch {
      return ["unplain", null];
    }
  },
};

function snapshot(): Uint8Array {
  const name = "python.snapshot";
  const bytes = new Uint8Array(outside.assetSize(name));
  outside.readAsset(name, bytes);
  return bytes;
}

function write(bytes: Uint8Array): number {
  outside.write(bytes);
  return bytes.length;
}
