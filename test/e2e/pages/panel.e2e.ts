/** The panel without the editor: every page of it, in every theme, under the page's policy. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeViolations } from "../harness/axe.ts";
import { launchBrowser } from "../harness/browser.ts";
import { type OpenOptions, type PageHost, startPageHost, themes } from "../harness/pageHost.ts";
import { shot } from "../harness/shots.ts";
import { detailOf, initWith, sampleForm, shownRun } from "./sampleRuns.ts";

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

const wide: OpenOptions = { kind: "panel", theme: "dark", width: 1100, height: 1500 };
const both = { shown: [shownRun("pre"), shownRun("post")] };
const pages = ["configure", "compare", "value", "attention"] as const;

test.each(pages)("shows the page %s in every theme, without a violation", async (name) => {
  const { page, say, heard, violations, useTheme } = await host.open(browser, wide);
  await say(initWith({ ...both, page: name, form: sampleForm }));
  await page.waitForTimeout(300);
  const asked = (await heard()).find(({ type }) => type === "detail");
  if (asked?.type === "detail") await say(detailOf(asked.value));
  for (const theme of themes) {
    await useTheme(theme);
    await page.waitForTimeout(300);
    await shot(page, `page-${name}-${theme}`);
    expect(await axeViolations(page), theme).toEqual([]);
  }
  expect(await violations()).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await page.close();
});

test.each(pages)("the page %s fits a panel of 300 pixels", async (name) => {
  const { page, say } = await host.open(browser, { ...wide, width: 300 });
  await say(initWith({ ...both, page: name, form: sampleForm }));
  await page.locator("h1:visible").waitFor();
  await page.waitForTimeout(300);
  await shot(page, `page-${name}-narrow`);
  const tooWide = await page.evaluate(() =>
    ["html", "ns-panels", ".region"]
      .flatMap((selector) => [...document.querySelectorAll(selector)])
      .filter((it) => it.scrollWidth > it.clientWidth + 1)
      .map((it) => `${it.tagName}.${it.className}: ${it.scrollWidth} > ${it.clientWidth}`),
  );
  expect(tooWide).toEqual([]);
  await page.close();
});

const overflow = (page: { evaluate(it: () => number): Promise<number> }) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test("a tab is drawn when it is opened, by mouse and by keyboard", async () => {
  const { page, say } = await host.open(browser, wide);
  await say(initWith({ ...both, page: "configure", form: sampleForm }));
  await page.getByRole("tab", { name: "Attention" }).click();
  await page.getByRole("heading", { name: "Attention", exact: true }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: "One value" }).waitFor();
  await page.close();
});
