/** Runs model files that a test writes, in the built engine. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import type { RunRequest } from "../../src/protocol/engine.ts";

const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), "normscope-plan-")));
const engine = startEngine({ enginePath });
afterAll(async () => {
  await engine.dispose();
  rmSync(root, { recursive: true });
});

/** `files` have a folder of their own; `entry` is a class, or null for a script. */
export function runFiles(
  files: Readonly<Record<string, string>>,
  file: string,
  entry: string | null,
  set: Readonly<Record<string, string>> = {},
  inputs: RunRequest["inputs"] = [],
) {
  const folder = mkdtempSync(join(root, "case-"));
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), source);
  }
  return engine.run({
    ...{ root: folder, file, entry, set },
    ...{ inputs, loss: null, seed: 0, mode: null, packages: null, device: "cpu" },
  });
}
