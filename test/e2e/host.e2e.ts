/** The suites of the desktop editor (test/electron), in the extension host of this one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleSuites } from "../../scripts/bundleSuites.mjs";
import { startSession } from "./harness/session.ts";
import { eventually } from "./harness/waiting.ts";

const limitMs = 150_000;

test(
  "other extensions, tasks and tools get what they are promised",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "ns-suites-"));
    const log = join(folder, "log.txt");
    writeFileSync(log, "");
    const read = () => readFileSync(log, "utf8");
    const session = await startSession({
      file: null,
      hostTests: await bundleSuites(),
      env: { NORMSCOPE_SUITES_LOG: log },
    });
    try {
      await eventually("the last line", async () => closing.test(read()), limitMs);
    } finally {
      console.log(read());
      await session.close();
    }
    expect(read()).toMatch(/^\d{2} passed, 0 failed$/m);
    rmSync(folder, { recursive: true });
  },
  limitMs + 60_000,
);

const closing = /^\d+ passed, \d+ failed$/m;
