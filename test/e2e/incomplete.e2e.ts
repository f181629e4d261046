/** The package for systems that have none of their own: it says what is missing, and how to get it. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clickLensOver, waitForLens } from "./harness/editor.ts";
import { packagedExtension } from "./harness/extension.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { notifications } from "./harness/workbench.ts";

let session: Session;
let page: Page;
beforeAll(async () => {
  session = await startSession({ vsix: packagedExtension("universal") });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

test("a run without the native library is refused with its name", async () => {
  await waitForLens(page, "Run");
  await clickLensOver(page, 84, /^\W*Run$/);
  const [text] = await eventually("a message", async () => {
    const shown = await notifications(page);
    return shown.length > 0 && shown;
  });
  await shot(page, "incomplete-01");
  expect(text).toMatch(/onnxruntime/i);
});
