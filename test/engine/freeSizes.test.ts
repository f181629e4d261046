/** Tables that forward computes for a length stay free in an export with free axes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const engine = startEngine({ enginePath: join(repository, "dist/engine.mjs") });
const directory = mkdtempSync(join(tmpdir(), "normscope-free-"));
afterAll(async () => {
  await engine.dispose();
  rmSync(directory, { recursive: true });
});

/** Rotary angles, a window, buckets of distances: each of a length that only the input knows. */
const tables = [
  ["models/mistral.py", "Mistral", { n_layers: "1" }],
  ["models/t5.py", "T5", { n_layers: "1" }],
  ["test/engine/sliced_tables.py", "SlicedTables", { width: "32" }],
] as const;

test.each(tables)("%s", async (file, entry, set) => {
  const { nodes } = await engine.export({
    ...{ root: repository.replace(/[\\/]$/, ""), file, entry, set },
    ...{ inputs: [], loss: null, seed: 0, mode: null, packages: null },
    ...{ directory, name: "model.onnx", storage: "inside", dynamic: true },
    ...{ backward: false, statistics: false },
  });
  expect(nodes).toBeGreaterThan(20);
});
