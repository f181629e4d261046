/** Suites that run in the extension host of the editor, and what they print. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSession } from "./session.ts";
import { eventually } from "./waiting.ts";

/** Runs a bundled suite until it has printed its last line; prints and gives all that it printed. */
export async function runHostSuite(
  bundle: string,
  lastLine: RegExp,
  limitMs: number,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "ns-suite-"));
  const log = join(folder, "log.txt");
  writeFileSync(log, "");
  const read = () => readFileSync(log, "utf8");
  try {
    const env = { NORMSCOPE_SUITES_LOG: log };
    const session = await startSession({ file: null, hostTests: bundle, env });
    try {
      await eventually("the last line", async () => lastLine.test(read()), limitMs);
    } finally {
      console.log(read());
      await session.close();
    }
    return read();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
