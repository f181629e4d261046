/** Dashboard and panel in the real editor: drawn, kept, linked with the source, in every theme. */
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeViolations } from "./harness/axe.ts";
import { clickLensOver, goTo, textsAfterLines } from "./harness/editor.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import {
  openContainer,
  openFile,
  pickEntry,
  reloadWindow,
  runCommand,
  statusItem,
  treeRows,
  useColourTheme,
} from "./harness/workbench.ts";

let session: Session;
let page: Page;
beforeAll(async () => {
  session = await startSession({ file: null, width: 1500, height: 1000 });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

const modelLine = 84;

test("the dashboard shows a run that the palette began", async () => {
  await openFile(page, "pre_ln.py");
  await runCommand(page, "Normscope: Run Model");
  await pickEntry(page, "PreLNTransformer");
  await goTo(page, modelLine);
  await eventually("numbers", async () => (await textsAfterLines(page)).length > 0);
  await openContainer(page, "Normscope");
  const dashboard = await webviewOf(page, "dashboard");
  await dashboard.getByRole("heading", { name: "PreLNTransformer" }).waitFor();
  await dashboard.getByRole("application").first().waitFor();
  await shot(page, "boards-01-dashboard");
  expect(await axeViolations(dashboard)).toEqual([]);
});

test("the tree of the model has every module with its numbers", async () => {
  const rows = await eventually("the tree", async () => {
    const found = await treeRows(page, "Model");
    return found.length > 3 && found;
  });
  expect(rows.join("\n")).toMatch(/blocks/);
  expect(rows.join("\n")).toMatch(/→/);
});

test("the chart's cursor moves by keyboard, is read out, and leads to the source", async () => {
  const dashboard = await webviewOf(page, "dashboard");
  const chart = dashboard.getByRole("application").first();
  await chart.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const readout = dashboard.locator("figure").first().locator(".readout");
  await eventually("the readout", async () =>
    /block 1: /.test((await readout.textContent()) ?? ""),
  );
  await page.keyboard.press("Enter");
  await page.locator(".monaco-editor .view-line").first().waitFor();
  await eventually("the block's class", async () =>
    (await statusItem(page, /Ln \d+/).textContent())?.includes("Ln 68"),
  );
});

test("Pre-LN and Post-LN stand side by side in the panel", async () => {
  await openFile(page, "pre_ln.py");
  await clickLensOver(page, modelLine, "Compare Pre-LN and Post-LN");
  const panel = await webviewOf(page, "panel");
  await panel.getByRole("heading", { name: "Compare runs" }).waitFor();
  await panel.getByText("Post-LN", { exact: true }).first().waitFor();
  await eventually("the table", async () => (await panel.locator("tbody tr:visible").count()) > 20);
  await shot(page, "boards-02-compare");
  expect(await axeViolations(panel)).toEqual([]);
});

const tabs = ["Configure", "One value", "Attention", "Compare"];

test.each(tabs)("the panel's tab %s is drawn without a violation", async (name) => {
  const panel = await webviewOf(page, "panel");
  await panel.getByRole("tab", { name }).click();
  await eventually("the page", async () => (await panel.locator("h1:visible").count()) > 0);
  if (name === "One value") {
    await panel.getByText("What narrower formats would lose").first().waitFor();
  }
  await page.waitForTimeout(500);
  await shot(page, `boards-03-${name.toLowerCase().replaceAll(" ", "-")}`);
  expect(await axeViolations(panel)).toEqual([]);
});

test("the panel is as it was after another tab, and after a reload of the window", async () => {
  const filterOf = (panel: Frame) => panel.getByRole("textbox", { name: "Filter by path" });
  const panel = await webviewOf(page, "panel");
  await filterOf(panel).fill("blocks.3");
  await eventually(
    "fewer rows",
    async () => (await panel.locator("tbody tr:visible").count()) < 20,
  );
  await openFile(page, "pre_ln.py");
  await page
    .getByRole("tab", { name: /Normscope|Compare|PreLN/ })
    .last()
    .click();
  const again = await webviewOf(page, "panel");
  await eventually("the filter", async () => (await filterOf(again).inputValue()) === "blocks.3");
  await page.waitForTimeout(1000);
  await reloadWindow(page);
  const reloaded = await webviewOf(page, "panel");
  await eventually(
    "the filter",
    async () => (await filterOf(reloaded).inputValue()) === "blocks.3",
  );
  await reloaded.getByText("Post-LN", { exact: true }).first().waitFor();
  await shot(page, "boards-04-reloaded");
});

const themes = ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"];

test.each(themes)("both pages can be read in the theme %s", async (name) => {
  await useColourTheme(page, name);
  await openContainer(page, "Normscope");
  await page.waitForTimeout(1500);
  for (const kind of ["dashboard", "panel"] as const) {
    const frame = await webviewOf(page, kind);
    expect(await axeViolations(frame), kind).toEqual([]);
  }
  await shot(page, `boards-05-${name.toLowerCase().replaceAll(" ", "-")}`);
});

test("the view Runs has the history", async () => {
  const rows = await treeRows(page, "Runs");
  expect(rows.length).toBeGreaterThan(1);
});

test("numbers are there again after the reload", async () => {
  await openFile(page, "pre_ln.py");
  await goTo(page, modelLine);
  await eventually("numbers", async () => (await textsAfterLines(page)).length > 0);
});

test("no page broke its policy", () => {
  expect(session.violations).toEqual([]);
});
