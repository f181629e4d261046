/** The suites of the desktop editor (test/electron), in the extension host of this one. */
import { expect, test } from "vitest";
import { bundleSuites } from "../../scripts/bundleSuites.mjs";
import { runHostSuite } from "./harness/hostSuite.ts";

const limitMs = 150_000;

test(
  "other extensions, tasks and tools get what they are promised",
  async () => {
    const printed = await runHostSuite(await bundleSuites(), /^\d+ passed, \d+ failed$/m, limitMs);
    expect(printed).toMatch(/^\d{2} passed, 0 failed$/m);
  },
  limitMs + 60_000,
);
