import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { loadPyodide } from "pyodide";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PythonInstance } from "../../src/trace/python/boot.ts";
import { pythonIn, workspaceWith } from "../python/workspace.ts";
import { type WayOut, waysOut } from "./waysOut.ts";

const host = {
  echo: (x: unknown) => x,
  numbers: () => [1, 2],
  fail: () => {
    throw new Error("refused");
  },
};

let outside: string;
let server: Server;
let connections = 0;
let sandboxed: PythonInstance;
let plain: (way: WayOut) => unknown;

beforeAll(async () => {
  process.env["NORMSCOPE_SECRET"] = "sesame";
  server = createServer((socket) => {
    connections++;
    socket.on("error", () => undefined).destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const root = workspaceWith(filesOfWays(), { whenOver: afterAll });
  outside = join(dirname(root), "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "secret of a file");
  symlinkSync("../outside/secret.txt", join(root, "file-link"));
  symlinkSync("../outside", join(root, "folder-link"));
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(root, "there.py"), `OUTSIDE = "${outside}"\nPORT = ${port}\n`);
  sandboxed = await pythonIn(root, host);
  plain = await plainPyodide(root);
});

afterAll(() => {
  delete process.env["NORMSCOPE_SECRET"];
  server.close();
});

test.each(waysOut.map((way, i) => [way.name, way, i] as const))("%s", (_, way, i) => {
  if (way.plain !== null) expect(plain(way)).toEqual(way.plain);
  expect(sandboxOutcome(i)).toEqual(way.sandbox);
});

test("what the ways lead to is there", () => {
  expect(readFileSync(join(dirname(outside), "workspace/file-link"), "utf8")).toContain("secret");
  expect(
    readFileSync(join(dirname(outside), "workspace/folder-link/secret.txt"), "utf8"),
  ).toContain("secret");
});

test("only plain Pyodide ran a command and reached the network", async () => {
  expect(existsSync(join(outside, "marker"))).toBe(true);
  await expect.poll(() => connections).toBe(1);
});

const prelude = "from there import OUTSIDE, PORT\n";

function filesOfWays(): Record<string, string> {
  return Object.fromEntries(waysOut.map(({ code }, i) => [`way${i}.py`, `${prelude}${code}\n`]));
}

function sandboxOutcome(i: number): unknown {
  const result = sandboxed.call(`way${i}`, "attempt");
  if (result.ok) return result.value;
  const { type, message } = result.error;
  return `${type}: ${message}`.replaceAll(outside, "OUTSIDE");
}

/** Pyodide as its documentation starts it, with the workspace mounted and the host registered. */
async function plainPyodide(root: string): Promise<(way: WayOut) => unknown> {
  const pyodide = await loadPyodide();
  pyodide.registerJsModule("_normscope_host", host);
  pyodide.FS.mkdirTree(root);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, root);
  pyodide.runPython(`import os, sys; os.chdir(${JSON.stringify(root)}); sys.path.insert(0, "")`);
  return ({ code }) => {
    pyodide.runPython(`${prelude}${code}`);
    const result: unknown = pyodide.runPython("attempt()");
    return typeof result === "string" && result.endsWith("\n") ? result.trim() : result;
  };
}
