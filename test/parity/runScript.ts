/** Runs scripts in the built engine; one engine process serves all runs of a test file. */
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";
import type { RunReport } from "../../src/protocol/report.ts";

const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
let engine: Engine | null = null;

export interface ScriptOptions {
  /** The workspace; the script's folder where it is not given. */
  readonly root?: string;
  readonly seed?: number;
}

/** `path` is absolute. */
export function runScript(path: string, options: ScriptOptions = {}): Promise<RunReport> {
  const { root = dirname(path), seed = 0 } = options;
  engine ??= startEngine({ enginePath });
  return engine.run({
    root,
    file: relative(root, path),
    entry: null,
    set: {},
    inputs: [],
    loss: null,
    seed,
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
