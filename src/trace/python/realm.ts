/** Makes the realm that Python lives in: the bundle of realm/ in a context without capabilities. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { compileScript } from "./compiled.ts";
import type { Inside, Outside } from "./realm/outside.ts";

/** Pyodide shows JavaScript's frames to Python; python/normscope_boot/errors.py hides these. */
const nameInTracebacks = "/lib/normscope/realm.js";

/** `assets` is the folder that scripts/build.mjs wrote. */
export function makeRealm(assets: string, outside: Outside): Inside {
  const path = join(assets, "realm.js");
  const script = compileScript(readFileSync(path, "utf8"), path, nameInTracebacks);
  return runInRealm(script, outside) as Inside;
}

/**
 * Calls the function that `script` gives, with `outside`, in a new realm. Its global object has no
 * prototype out here and strings never become code in there, so nothing in there can name what is
 * out here.
 */
export function runInRealm(script: vm.Script, outside: Outside): unknown {
  const context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: true },
  });
  return script.runInContext(context)(outside);
}
