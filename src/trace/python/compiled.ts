/**
 * Scripts that are compiled once and for all: beside each lies what V8 made of it in an earlier run,
 * with the functions that were called then. Where V8 does not take that, as of another version, it
 * compiles anew.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import vm from "node:vm";

const cacheOf = (path: string): string => `${path}.cache`;

/** All scripts of this thread by their paths, whichever bundle compiled them. */
const scripts = registry();

/** `path`: where the source comes from; `filename`: what tracebacks call it. */
export function compileScript(source: string, path: string, filename = path): vm.Script {
  const cache = cacheOf(path);
  const options = existsSync(cache) ? { cachedData: readFileSync(cache) } : {};
  const script = new vm.Script(source, { filename, ...options });
  scripts.set(path, script);
  return script;
}

/** For later threads and processes; the build removes it when a source may have changed. */
export function writeCompiled(): void {
  for (const [path, script] of scripts) writeFileSync(cacheOf(path), script.createCachedData());
}

function registry(): Map<string, vm.Script> {
  const shared = globalThis as { normscopeScripts?: Map<string, vm.Script> };
  shared.normscopeScripts ??= new Map();
  return shared.normscopeScripts;
}
