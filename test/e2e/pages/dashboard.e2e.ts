/** The dashboard without the editor: what a person sees in each state, under the page's policy. */
import { expect, test } from "vitest";
import { axeViolations } from "../harness/axe.ts";
import { type OpenOptions, themes } from "../harness/pageHost.ts";
import { servePages } from "../harness/pages.ts";
import { shot } from "../harness/shots.ts";
import { initWith, shownRun } from "./sampleRuns.ts";

const openPage = servePages();

const narrow: OpenOptions = { kind: "dashboard", theme: "dark", width: 300, height: 1400 };

test("shows a run in every theme, without a violation", async () => {
  const { page, say, violations, useTheme } = await openPage(narrow);
  await say(initWith({ shown: [shownRun("pre")] }));
  await page.getByRole("heading", { name: "PreLNTransformer" }).waitFor();
  for (const theme of themes) {
    await useTheme(theme);
    await page.waitForTimeout(300);
    await shot(page, `page-dashboard-${theme}`);
    expect(await axeViolations(page), theme).toEqual([]);
  }
  expect(await violations()).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(300);
  await page.close();
});
