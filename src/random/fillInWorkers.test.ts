import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGenerator } from "./engine.ts";
import { fillInWorkers } from "./fillInWorkers.ts";
import { hashOf } from "./goldens.ts";
import type { FillJob } from "./jobs.ts";
import { plan, runFillJob } from "./jobs.ts";

const folder = mkdtempSync(join(tmpdir(), "fill-worker-"));
const worker = pathToFileURL(join(folder, "fillWorker.mjs"));

beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL("./fillWorker.ts", import.meta.url))],
    outfile: fileURLToPath(worker),
    bundle: true,
    platform: "node",
    format: "esm",
  }),
);

afterAll(() => rmSync(folder, { recursive: true }));

const shared = (count: number): Float32Array => new Float32Array(new SharedArrayBuffer(4 * count));

test("gives the numbers that one thread gives, whatever the pieces", async () => {
  const gen = createGenerator(3);
  const jobs: FillJob[] = [];
  for (const count of [7, 2 ** 20, 2 ** 21 + 15, 2 ** 21 + 16, 3_000_001]) {
    jobs.push(plan(gen, "normal", count, { mean: 0, std: 0.02, dtype: "float32" }));
    jobs.push(plan(gen, "normal", count, { mean: 1, std: 1, dtype: "bfloat16" }));
    jobs.push(plan(gen, "uniform", count, { from: -1, to: 2, dtype: "float32" }));
    jobs.push(plan(gen, "bernoulli", count, { p: 0.1, dtype: "float32" }));
  }
  const work = jobs.map((job) => ({ job, out: shared(job.count) }));
  await fillInWorkers(work, { worker, threads: 2 });
  for (const { job, out } of work) {
    const alone = new Float32Array(job.count);
    runFillJob(job, alone);
    expect(hashOf(out)).toBe(hashOf(alone));
  }
});

test("rejects when a worker cannot be started", async () => {
  const job = plan(createGenerator(0), "uniform", 4, { from: 0, to: 1, dtype: "float32" });
  const missing = new URL("missing.mjs", worker);
  const done = fillInWorkers([{ job, out: shared(4) }], { worker: missing, threads: 1 });
  await expect(done).rejects.toThrow("Cannot find module");
});
