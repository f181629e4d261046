/** A workspace that is not trusted: lenses of the text alone, and nothing of it is executed. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lenses, textsAfterLines } from "./harness/editor.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually, sleep } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import { openContainer } from "./harness/workbench.ts";

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

test("nothing is run in Restricted Mode", async () => {
  await page
    .getByText(/Restricted Mode/)
    .first()
    .waitFor();
  await sleep(3000);
  await shot(page, "restricted-01");
  const shown = await lenses(page);
  expect(shown.filter((text) => text.includes("Run"))).toEqual([]);
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
