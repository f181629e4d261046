/** Which nodes ran elsewhere than on the provider that was chosen: ONNX Runtime tells it in a profile. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeSource } from "../graph/encode.ts";
import type { ElsewhereReport } from "../protocol/report.ts";

export interface Profile {
  /** What a session is created with. */
  readonly options: { readonly enableProfiling: true; readonly profileFilePrefix: string };
  /** Indices of the nodes that ran on the CPU; to be called once, after the session's own end of it. */
  end(): number[];
}

/** The runtime writes a profile into a file, and nowhere else. */
export function startProfile(): Profile {
  const folder = mkdtempSync(join(tmpdir(), "normscope-"));
  return {
    options: { enableProfiling: true, profileFilePrefix: join(folder, "run") },
    end() {
      try {
        const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
        return texts.flatMap(readNodesOnCpu);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** One event a line; nodes are named by their index. */
export function readNodesOnCpu(text: string): number[] {
  const lines = text.split("\n").filter((line) => line.includes('"CPUExecutionProvider"'));
  const names = lines.map((line) => /"name"\s*:\s*"(\d+)_kernel_time"/.exec(line)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined).map(Number))];
}

/** By line and operator, in the order of the nodes. */
export function elsewhere(
  nodes: readonly number[],
  sources: readonly (NodeSource | null)[],
): ElsewhereReport[] {
  const byPlace = new Map<string, ElsewhereReport>();
  for (const node of nodes) {
    const source = sources[node] ?? null;
    if (source === null) continue;
    const { file, line, op, module, direction } = source;
    const key = JSON.stringify([file, line, op, direction]);
    const count = (byPlace.get(key)?.nodes ?? 0) + 1;
    byPlace.set(key, { provider: "cpu", file, line, op, module, direction, nodes: count });
  }
  return [...byPlace.values()];
}
