import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { expect, test } from "vitest";
import { readableFolder } from "../../src/trace/python/folders.ts";
import { makeOutside } from "../../src/trace/python/outside.ts";
import type { Inside } from "../../src/trace/python/realm/outside.ts";
import { runInRealm } from "../../src/trace/python/realm.ts";
import { assets } from "../python/workspace.ts";

/**
 * Follows every property, getter, prototype and element from `roots`; returns how many objects it
 * saw and the paths to those whose prototypes end in another realm's Object.prototype.
 */
const walkSource = `
  function walk(roots) {
    const seen = new Set();
    const foreign = [];
    const pending = Object.entries(roots);
    const isForeign = (value) => {
      let last = value;
      for (let next = value; next !== null; next = Object.getPrototypeOf(next)) last = next;
      return last !== value && last !== Object.prototype;
    };
    const entriesOf = (value) => {
      try {
        return value instanceof Map || value instanceof Set ? [...value] : [];
      } catch {
        return []; // a prototype of a subclass of Map
      }
    };
    const visit = (path, value) => {
      const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
      if (isObject && !seen.has(value)) pending.push([path, value]);
    };
    while (pending.length > 0) {
      const [path, value] = pending.pop();
      if (seen.has(value)) continue;
      seen.add(value);
      if (isForeign(value)) {
        foreign.push(path);
        continue;
      }
      visit(path + ".__proto__", Object.getPrototypeOf(value));
      if (ArrayBuffer.isView(value)) continue;
      for (const entry of entriesOf(value)) visit(path + "[]", entry);
      for (const key of Reflect.ownKeys(value)) {
        const described = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
        for (const part of ["value", "get", "set"]) visit(path + "." + String(key), described[part]);
      }
    }
    return JSON.stringify({ count: seen.size, foreign: foreign.slice(0, 20) });
  }
`;

/** The realm as it is built, except that Python's module js is its global object, with \`walk\`. */
async function walkFromPython(
  planted: object | null,
): Promise<{ count: number; foreign: string[] }> {
  let report = "";
  const host = [
    (text: unknown) => {
      report = String(text);
    },
  ];
  const folders = [readableFolder(join(assets, "site"))];
  const outside = makeOutside({ assets, folders, host });
  const built = readFileSync(join(assets, "realm.js"), "utf8");
  const withGlobals = replaced(
    built,
    /jsglobals: .*Object\.create\(null\)/,
    "jsglobals: globalThis",
  );
  const opened = replaced(
    withGlobals,
    /return normscopeRealm\.inside/,
    `${walkSource}
    Object.assign(globalThis, { walk, planted: normscopeOutside.planted });
    $&`,
  );
  const inside = runInRealm(new vm.Script(opened), Object.assign(outside, { planted })) as Inside;
  await inside.load(true);
  inside.bindHost(["report"]);
  const code = `
import js, pyodide_js, _normscope_host as host
from pyodide.ffi import to_js
roots = {"global": js, "pyodide": pyodide_js, "host": host.report, "list": to_js([])}
host.report(js.walk(to_js(roots, dict_converter=js.Object.fromEntries)))
`;
  expect(inside.call("builtins", "exec", [code, {}])).toEqual(["value", null]);
  return JSON.parse(report);
}

function replaced(text: string, pattern: RegExp, by: string): string {
  expect(text).toMatch(pattern);
  return text.replace(pattern, by);
}

test("nothing that Python could reach in its realm belongs to Node's", async () => {
  const { count, foreign } = await walkFromPython(null);
  expect(foreign).toEqual([]);
  expect(count).toBeGreaterThan(5000);
});

test("the walk would find an object of Node's realm", async () => {
  const { foreign } = await walkFromPython({ deep: [new URL("file:///")] });
  expect(foreign).toEqual([expect.stringMatching(/\.planted$/)]);
});
