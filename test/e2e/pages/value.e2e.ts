/** One value's page without the editor: by position, by feature, by sample, each with its numbers. */
import { expect, test } from "vitest";
import { axeViolations } from "../harness/axe.ts";
import type { OpenOptions } from "../harness/pageHost.ts";
import { servePages } from "../harness/pages.ts";
import { shot } from "../harness/shots.ts";
import { eventually } from "../harness/waiting.ts";
import { detailOf, initWith, shownRun } from "./sampleRuns.ts";

const openPage = servePages();

const wide: OpenOptions = { kind: "panel", theme: "light", width: 1100, height: 1500 };

async function openValue(options: OpenOptions) {
  const opened = await openPage(options);
  await opened.say(initWith({ shown: [shownRun("pre")], page: "value" }));
  const asked = await eventually("the question", async () =>
    (await opened.heard()).find((message) => message.type === "detail"),
  );
  await opened.say(detailOf(asked.value));
  return opened;
}

test("an axis is chosen for the value alone, and saved with its numbers", async () => {
  const { page, heard, violations } = await openValue(wide);
  const figure = page.locator("figure", { hasText: "Value: " }).last();
  await figure.getByRole("combobox").click();
  await page.getByRole("option", { name: "Mean by feature" }).click();
  await figure.getByRole("heading", { name: "Mean by feature" }).waitFor();
  await page.getByRole("heading", { name: "RMS by position" }).waitFor();
  await shot(page, "page-value-slices");
  expect(await axeViolations(page)).toEqual([]);
  await figure.locator(".menu > summary").click();
  await figure.getByRole("button", { name: "CSV", exact: true }).click();
  const saved = await eventually("the file", async () =>
    (await heard()).find((message) => message.type === "save"),
  );
  expect(saved.name).toBe("mean-by-feature.csv");
  const rows = String(saved.content).trim().split("\r\n");
  expect(rows[0]).toMatch(/^feature,"?Value: /);
  expect(rows).toHaveLength(129);
  await figure.locator("details:not(.menu) > summary").click();
  await eventually("the rows", async () => (await figure.locator("tbody tr").count()) === 128);
  expect(await violations()).toEqual([]);
  await page.close();
});

test("the cursor moves along an axis by keyboard, and is read out", async () => {
  const { page } = await openValue(wide);
  const chart = page.getByRole("application", { name: /^RMS by position/ }).first();
  await chart.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.getByText(/^position 1: Value: .* 1\.41$/).waitFor();
  await page.close();
});

test("all of it fits a panel of 300 pixels", async () => {
  const { page } = await openValue({ ...wide, width: 300, height: 2600 });
  await page.getByRole("heading", { name: "RMS by position" }).first().waitFor();
  await page.waitForTimeout(300);
  await shot(page, "page-value-slices-narrow");
  const region = page.locator(".region.value");
  expect(await region.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(1);
  await page.close();
});
