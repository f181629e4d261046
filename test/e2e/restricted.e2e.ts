/** A workspace that is not trusted: lenses of the text alone, and nothing of it is executed. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clickLensOver, textsAfterLines, waitForLens } from "./harness/editor.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually, sleep } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import { notifications, openContainer } from "./harness/workbench.ts";

let session: Session;
let page: Page;
beforeAll(async () => {
  const settings = {
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.untrustedFiles": "open",
  };
  session = await startSession({ asksForTrust: true, settings });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

test("a lens stands there, and refuses to run what is not trusted", async () => {
  await page
    .getByText(/Restricted Mode/)
    .first()
    .waitFor();
  await waitForLens(page, "Run");
  await clickLensOver(page, 84, /^\W*Run$/);
  const message = await eventually("a message", async () =>
    (await notifications(page)).find((text) => /trust/i.test(text)),
  );
  await shot(page, "restricted-01");
  expect(message).toMatch(/not run|trust/i);
  await sleep(1500);
  expect(await textsAfterLines(page)).toEqual([]);
  expect(session.engines()).toEqual([]);
});

test("the views say why, and how to change it", async () => {
  await openContainer(page, "Normscope");
  await eventually("the reason", async () => (await page.getByText(/trust/i).count()) > 0);
  const dashboard = await webviewOf(page, "dashboard");
  await dashboard.getByText(/Restricted Mode/).waitFor();
  await shot(page, "restricted-02-views");
});
