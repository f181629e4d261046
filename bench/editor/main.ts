/** Runs the suite in the editor of the tests and prints what it measured. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startSession } from "../../test/e2e/harness/session.ts";
import { eventually } from "../../test/e2e/harness/waiting.ts";

const limitMs = 300_000;
const folder = mkdtempSync(join(tmpdir(), "ns-bench-"));
const log = join(folder, "log.txt");
writeFileSync(log, "");
const session = await startSession({
  file: null,
  hostTests: join(dirname(fileURLToPath(import.meta.url)), "suite.cjs"),
  env: { NORMSCOPE_SUITES_LOG: log },
});
try {
  await eventually(
    "the end",
    async () => readFileSync(log, "utf8").endsWith("measured\n"),
    limitMs,
  );
} finally {
  process.stdout.write(readFileSync(log, "utf8").replace("measured\n", ""));
  await session.close();
  rmSync(folder, { recursive: true });
}
process.exit(0);
