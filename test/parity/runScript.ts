/** Runs a script in the built engine; one engine process serves all runs of a test file. */
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";
import type { RunReport } from "../../src/protocol/report.ts";

const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
let engine: Engine | null = null;

/** `path` is absolute; `root` is the workspace, by default the script's folder. */
export function runScript(path: string, root = dirname(path)): Promise<RunReport> {
  engine ??= startEngine({ enginePath });
  return engine.run({
    root,
    file: relative(root, path),
    entry: null,
    set: {},
    inputs: [],
    loss: null,
    seed: 0,
    mode: null,
    packages: null,
    device: "cpu",
  });
}

/** Ends the engine process. */
export async function endRuns(): Promise<void> {
  await engine?.dispose();
  engine = null;
}
