/** Makes the realm that Python lives in: the bundle of realm/ in a context without capabilities. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import type { Inside, Outside } from "./realm/outside.ts";

/**
 * `assets` is the folder that scripts/build.mjs wrote. The global object has no prototype of this
 * realm, and strings never become code, so nothing in there can name what is out here.
 */
export function makeRealm(assets: string, outside: Outside): Inside {
  const context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: true },
  });
  const file = join(assets, "realm.js");
  const script = new vm.Script(readFileSync(file, "utf8"), { filename: file });
  return script.runInContext(context)(outside) as Inside;
}
