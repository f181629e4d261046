/** Ctrl-C on the built command line, with the real engine. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const cli = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), "normscope-interrupt-"));
afterAll(() => rmSync(cwd, { recursive: true }));
writeFileSync(
  join(cwd, "endless.py"),
  "def build():\n    while True:\n        pass\n\n\ndef step(model):\n    return 0\n",
);

const isLinux = existsSync("/proc/self/task");

function childrenOf({ pid }: ChildProcess): string[] {
  if (!isLinux) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter((it) => it !== "");
}

/** A process that has ended may wait for its parent to ask how; it does nothing any more. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test.each([
  ["run", 300, ["run", "endless.py"]],
  ["run in an endless loop", 2500, ["run", "endless.py", "--json", "out/a.json"]],
  ["export", 1000, ["export", "endless.py", "--output", "out/a.onnx"]],
])(
  "Ctrl-C during %s after %d ms ends within a second and leaves nothing",
  async (_, delayMs, args) => {
    const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: "pipe" });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const engines = childrenOf(child);
    const began = performance.now();
    child.kill("SIGINT");
    // Before its first line has run, Node ends by the signal itself: null.
    expect([130, null]).toContain(await ended);
    expect(performance.now() - began).toBeLessThan(1000);
    expect(readdirSync(cwd)).toEqual(["endless.py"]);
    await expect.poll(() => engines.filter(isRunning)).toEqual([]);
  },
);
