import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assets, workspaceWith } from "../../../test/python/workspace.ts";
import { tracerPool } from "./tracerPool.ts";

const folder = mkdtempSync(join(tmpdir(), "normscope-pool-"));
const entry = join(folder, "tracer.mjs");

/** Loads Python, then calls what it is told to and posts the outcome. */
const tracerSource = `
  import { parentPort, workerData } from "node:worker_threads";
  import { startPython } from "./boot.ts";
  import { loaded } from "./tracerPool.ts";
  const python = await startPython({ assets: workerData.assets, host: {} });
  parentPort.on("message", ({ workspace, call }) => {
    python.open(workspace);
    parentPort.postMessage(python.call(...call));
  });
  parentPort.postMessage(loaded);
`;

beforeAll(async () => {
  await build({
    stdin: { contents: tracerSource, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: entry,
    bundle: true,
    format: "esm",
    platform: "node",
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function callIn(worker: Worker, root: string, ...call: string[]): Promise<unknown> {
  const outcome = new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  worker.postMessage({ workspace: { root, scriptFolder: root }, call });
  return outcome;
}

/** Says what code in the worker's own realm could get hold of. */
const probe = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", () => {
    let code = "refused";
    try { code = Function("return 'ran'")(); } catch {}
    parentPort.postMessage({ code, variables: Object.keys(process.env).length > 0 });
  });
  parentPort.postMessage("loaded");
`;

// The first test: what the pool forbids holds for every worker of the process that starts later.
test("the worker has no environment and makes no code from strings", async () => {
  const file = join(folder, "probe.cjs");
  writeFileSync(file, probe);
  const reach = (worker: Worker) => {
    const answer = new Promise((resolve) => worker.on("message", resolve));
    worker.postMessage("what can you reach");
    return answer;
  };
  const ordinary = new Worker(file);
  await new Promise((resolve) => ordinary.once("message", resolve));
  expect(await reach(ordinary)).toEqual({ code: "ran", variables: true });
  const worker = await tracerPool(file, {}).take();
  expect(await reach(worker)).toEqual({ code: "refused", variables: false });
  await Promise.all([ordinary.terminate(), worker.terminate()]);
});

test("gives each script a worker of its own, the spare first", async () => {
  const pool = tracerPool(entry, { assets });
  pool.prepare();
  const first = await pool.take();
  const second = await pool.take();
  expect(first).not.toBe(second);
  const root = workspaceWith({
    "model.py": "import builtins\ndef f():\n  builtins.x = 1\n  return 5",
  });
  expect(await callIn(first, root, "model", "f")).toEqual({ ok: true, value: 5 });
  expect(await callIn(second, root, "model", "f")).toEqual({ ok: true, value: 5 });
  await Promise.all([first.terminate(), second.terminate(), pool.dispose()]);
});

test("ends an endless loop", async () => {
  const pool = tracerPool(entry, { assets });
  const worker = await pool.take();
  const root = workspaceWith({ "model.py": "def f():\n  while True: pass" });
  const outcome = callIn(worker, root, "model", "f");
  outcome.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const start = performance.now();
  await worker.terminate();
  expect(performance.now() - start).toBeLessThan(1000);
});

test("recursion within Python ends at Python's limit, not at the thread's stack", async () => {
  const pool = tracerPool(entry, { assets });
  const worker = await pool.take();
  const root = workspaceWith({
    "model.py": "def f(): return sorted([0, 1], key=lambda _: f())",
  });
  const outcome = await callIn(worker, root, "model", "f");
  expect(outcome).toMatchObject({ ok: false, error: { type: "RecursionError", number: 0 } });
  await worker.terminate();
});

test("a worker that cannot load Python is an error, and the next one is tried afresh", async () => {
  const pool = tracerPool(entry, { assets: folder });
  await expect(pool.take()).rejects.toThrow("ENOENT");
  await expect(pool.take()).rejects.toThrow("ENOENT");
});
