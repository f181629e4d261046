/** Pages without the editor, for the tests of one file. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "./browser.ts";
import { type OpenOptions, type OpenPage, type PageHost, startPageHost } from "./pageHost.ts";

/** Serves pages while the file's tests run; the function opens one. */
export function servePages(): (options: OpenOptions) => Promise<OpenPage> {
  let host: PageHost;
  let browser: Browser;
  beforeAll(async () => {
    host = await startPageHost();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    host.close();
  });
  return (options) => host.open(browser, options);
}
