/** Where a model can stand and how large it can be: names, sizes, windows that are not the usual. */
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeViolations } from "./harness/axe.ts";
import {
  clickLensOver,
  editorOf,
  focusEditor,
  goTo,
  lenses,
  textAfter,
  textsAfterLines,
  waitForLens,
} from "./harness/editor.ts";
import { modelFolder } from "./harness/extension.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import { openContainer, openFile, openWindow, runCommand } from "./harness/workbench.ts";

/** A name that a page must not take for markup, in the file and in a module's path. */
const marked = `from torch import nn


class Marked(nn.Module):
    def __init__(self, d_model: int = 16):
        super().__init__()
        self.add_module("<img src=x onerror=alert(1)>", nn.Linear(d_model, d_model))

    def forward(self, x):
        return x + getattr(self, "<img src=x onerror=alert(1)>")(x)
`;
const deep = `from torch import nn

from pre_ln import PreLNTransformer


class Deep(nn.Module):
    def __init__(self, n_layers: int = 96, d_model: int = 32):
        super().__init__()
        self.model = PreLNTransformer(
            vocab_size=64, d_model=d_model, n_layers=n_layers, n_heads=4, d_ff=64
        )

    def forward(self, idx):
        return self.model(idx)
`;
const long = `from torch import nn


class Long(nn.Module):
    def __init__(self, d_model: int = 16):
        super().__init__()
        self.fc = nn.Linear(d_model, d_model)

    def forward(self, x):
${"        x = self.fc(x)\n".repeat(20)}        return x


${Array.from({ length: 4950 }, (_, i) => `def f${i}(x): return x + ${i}`).join("\n")}
`;

let session: Session;
let page: Page;
beforeAll(async () => {
  const files = { "<b>marked.py": marked, "deep.py": deep, "long.py": long };
  session = await startSession({ files, file: "<b>marked.py" });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

test("names with markup in them are only text", async () => {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await clickLensOver(page, 4, /^\W*Run$/);
  await eventually("numbers", () => textAfter(page, 10));
  await openContainer(page, "Normscope");
  const dashboard = await webviewOf(page, "dashboard");
  await dashboard.getByRole("heading", { name: "Marked" }).waitFor();
  await shot(page, "places-01-markup");
  expect(await dashboard.locator("img, b").count()).toBe(0);
  expect(dialogs).toEqual([]);
});

test("a model of 96 layers stays readable", async () => {
  await openFile(page, "deep.py");
  await clickLensOver(page, 6, /^\W*Run$/);
  await openContainer(page, "Normscope");
  const dashboard = await webviewOf(page, "dashboard");
  await dashboard.getByRole("heading", { name: "Deep" }).waitFor({ timeout: 120_000 });
  await openFile(page, "pre_ln.py");
  await goTo(page, 84);
  const text = await eventually("numbers", () => textAfter(page, 79));
  expect(text).toMatch(/×96/);
  expect(text.length).toBeLessThanOrEqual(80);
  await shot(page, "places-02-deep");
  expect(await axeViolations(dashboard)).toEqual([]);
  const scroll = await dashboard.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(scroll).toBeLessThanOrEqual(0);
});

test("two editors of one file have the same numbers", async () => {
  await openFile(page, "pre_ln.py");
  await runCommand(page, "View: Split Editor Right");
  await eventually("two editors", async () => {
    const editors = page.locator('.monaco-editor[data-uri$="/pre_ln.py"]');
    return (await editors.count()) === 2;
  });
  const right = page.locator('.monaco-editor[data-uri$="/pre_ln.py"]').nth(1);
  await eventually(
    "lenses in both",
    async () => (await right.locator(".codelens-decoration > a").count()) > 0,
  );
  await goTo(page, 84);
  await eventually("numbers in the second", async () => (await textsAfterLines(page)).length > 0);
  await shot(page, "places-03-two-editors");
  await runCommand(page, "View: Close All Editors");
});

test("a file of five thousand lines is typed into without a pause", async () => {
  await openFile(page, "long.py");
  await clickLensOver(page, 4, /^\W*Run$/);
  await eventually("numbers", () => textAfter(page, 12));
  await focusEditor(page);
  await goTo(page, 2500, 1);
  const frames = await page.evaluate(() => {
    const longest = { ms: 0, last: performance.now() };
    Object.assign(window, { longestFrame: longest });
    const tick = (now: number) => {
      longest.ms = Math.max(longest.ms, now - longest.last);
      longest.last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    return true;
  });
  expect(frames).toBe(true);
  await page.keyboard.type("# typed while numbers stand above", { delay: 30 });
  const longest = await page.evaluate(() => longestFrame.ms);
  console.log(`longest frame while typing: ${longest.toFixed(0)} ms`);
  expect(longest).toBeLessThan(1000);
  await runCommand(page, "File: Revert File");
});

test("a file outside of the workspace runs with its folder as the workspace", async () => {
  const elsewhere = modelFolder();
  const url = session.server.urlOf(session.folder.path, join(elsewhere.path, "post_ln.py"));
  const other = await openWindow(session.browser, url);
  await waitForLens(other, "Run");
  await goTo(other, 30);
  await runLensOfModel(other);
  await eventually("numbers", async () => (await textsAfterLines(other)).length > 0);
  await shot(other, "places-04-outside");
  await other.close();
  elsewhere.remove();
});

async function runLensOfModel(window: Page): Promise<void> {
  const text = readFileSync(join(session.folder.path, "post_ln.py"), "utf8");
  const line = text.split("\n").findIndex((it) => it.startsWith("class PostLNTransformer")) + 1;
  await clickLensOver(window, line, /^\W*Run$/);
}

test("a window without a folder runs a file", async () => {
  const file = join(tmpdir(), "normscope-alone.py");
  writeFileSync(file, marked.replaceAll("<img src=x onerror=alert(1)>", "fc"));
  const other = await openWindow(session.browser, session.server.urlOf(null, file));
  await waitForLens(other, "Run");
  await clickLensOver(other, 4, /^\W*Run$/);
  await eventually("numbers", () => textAfter(other, 10));
  await shot(other, "places-05-no-folder");
  await other.close();
});

test("at twice the size a page shows all of itself without scrolling sideways", async () => {
  // The same pixels at 200 %: half as many of the page's own.
  await page.setViewportSize({ width: 700, height: 450 });
  await openContainer(page, "Normscope");
  await runCommand(page, "Normscope: Open Charts and Tables");
  for (const kind of ["dashboard", "panel"] as const) {
    const frame = await webviewOf(page, kind);
    await frame.locator("h1:visible").first().waitFor();
    const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, kind).toBeLessThanOrEqual(0);
  }
  await shot(page, "places-06-zoom");
  await page.setViewportSize({ width: 1400, height: 900 });
});

test("everything of it can be turned off and on again", async () => {
  await openFile(page, "pre_ln.py");
  await waitForLens(page, "Run");
  await runCommand(page, "Normscope: Turn On or Off");
  await eventually("nothing", async () => {
    const texts = await textsAfterLines(page);
    return (await lenses(page)).length === 0 && texts.length === 0;
  });
  expect(await editorOf(page).locator(".codelens-decoration").count()).toBe(0);
  await runCommand(page, "Normscope: Turn On or Off");
  await waitForLens(page, "Run");
});

test("no page broke its policy", () => {
  expect(session.violations).toEqual([]);
});

declare const longestFrame: { ms: number };
