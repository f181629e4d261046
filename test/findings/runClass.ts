/** Runs classes of the scripts of this folder in the built engine. */
import { fileURLToPath } from "node:url";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";
import type { RunReport } from "../../src/protocol/report.ts";

const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");
let engine: Engine | null = null;

/** `set` has constructor arguments as they are typed; `source` is the file's text, if not what lies there. */
export function runClass(
  file: string,
  entry: string | null,
  set: Readonly<Record<string, string>> = {},
  source: string | null = null,
  mode: "eval" | "train" | null = null,
): Promise<RunReport> {
  engine ??= startEngine({ enginePath });
  return engine.run({
    ...{ root, file, entry, set, source },
    ...{ inputs: [], loss: null, seed: 0, mode, packages: null, device: "cpu" },
  });
}

/** Ends the engine process. */
export async function endRuns(): Promise<void> {
  await engine?.dispose();
  engine = null;
}
