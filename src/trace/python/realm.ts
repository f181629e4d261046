/** Makes the realm that Python lives in: the bundle of realm/ in a context without capabilities. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import type { Inside, Outside } from "./realm/outside.ts";

/** Pyodide shows JavaScript's frames to Python; python/normscope_boot/errors.py hides these. */
const nameInTracebacks = "/lib/normscope/realm.js";

/** `assets` is the folder that scripts/build.mjs wrote. */
export function makeRealm(assets: string, outside: Outside): Inside {
  return runInRealm(readFileSync(join(assets, "realm.js"), "utf8"), outside) as Inside;
}

/**
 * Calls the function that `source` is, with `outside`, in a new realm. Its global object has no
 * prototype out here and strings never become code in there, so nothing in there can name what is
 * out here.
 */
export function runInRealm(source: string, outside: Outside): unknown {
  const context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: true },
  });
  const script = new vm.Script(source, { filename: nameInTracebacks });
  return script.runInContext(context)(outside);
}
