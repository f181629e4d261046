/** The story without a mouse: every step by keys alone, read where a screen reader reads. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { textAfter } from "./harness/editor.ts";
import { endless } from "./harness/models.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import { statusItem } from "./harness/workbench.ts";

let session: Session;
let page: Page;
beforeAll(async () => {
  const files = { "endless.py": endless };
  session = await startSession({ files, file: null, width: 1500, height: 1000 });
  ({ page } = session);
  // Whatever is clicked from here on is a mistake of the test.
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 });
    addEventListener("pointerdown", () => clicks++, true);
  });
});
afterAll(() => session?.close());
shootFailures(() => page);

declare let clicks: number;

const streamLine = 79;
const modelLine = 84;
const input = () => page.locator(".quick-input-widget:visible input").first();
const firstEntry = () => page.locator(".quick-input-widget:visible .monaco-list-row.focused");

/** Opens a quick input, types, and takes the first entry once it is the one that is meant. */
async function choose(key: string, text: string, entry: string | RegExp): Promise<void> {
  await eventually(`'${entry}' by keys`, async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press(key);
    await input().waitFor({ timeout: 3000 });
    await page.keyboard.type(text, { delay: 5 });
    await firstEntry().filter({ hasText: entry }).waitFor({ timeout: 4000 });
    await page.keyboard.press("Enter");
    return true;
  });
}
const command = (title: string) => choose("F1", title, title);

async function toLine(line: number, column = 1): Promise<void> {
  await page.keyboard.press("Control+G");
  await input().waitFor();
  await page.keyboard.type(`${line}:${column}`);
  await firstEntry()
    .filter({ hasText: new RegExp(`\\b${line}\\b`) })
    .waitFor();
  await page.keyboard.press("Enter");
  await statusItem(page, new RegExp(`Ln ${line},`)).waitFor();
}

test("a file is opened and its model run", async () => {
  await choose("ControlOrMeta+P", "pre_ln.py", "pre_ln.py");
  await page.locator('.tab.active[data-resource-name="pre_ln.py"]').waitFor();
  await command("Normscope: Run Model");
  await page.getByPlaceholder("A class of this file").waitFor();
  await firstEntry().filter({ hasText: "PreLNTransformer" }).waitFor();
  await page.keyboard.press("Enter");
  await toLine(modelLine);
  await eventually("numbers", () => textAfter(page, streamLine));
  await shot(page, "keyboard-01-run");
});

test("the hover of a line is opened, and its table is in the text that is read", async () => {
  await toLine(streamLine, 17);
  await page.keyboard.press("ControlOrMeta+K");
  await page.keyboard.press("ControlOrMeta+I");
  const hover = page.locator(".monaco-hover:not(.hidden)").first();
  await hover.waitFor();
  await eventually("the table", async () => /blocks\.0/.test((await hover.textContent()) ?? ""));
  // The same keys once more put the focus into it.
  await page.keyboard.press("ControlOrMeta+K");
  await page.keyboard.press("ControlOrMeta+I");
  await shot(page, "keyboard-02-hover");
  await page.keyboard.press("Escape");
});

test("the tree is walked, and leads to the source", async () => {
  const spoken = () =>
    page.evaluate(() => {
      const focus = document.activeElement;
      const row = focus?.querySelector(".monaco-list-row.focused");
      return row?.getAttribute("aria-label") ?? `the focus is at ${focus?.outerHTML.slice(0, 120)}`;
    });
  const press = async (key: string, expected: RegExp) =>
    eventually(`${key} to ${expected}`, async () => {
      await page.keyboard.press(key);
      const text = await spoken();
      if (!expected.test(text)) throw new Error(text);
      return true;
    });
  // A tree that is still empty does not take the focus.
  await eventually("the tree", async () => {
    await command("Normscope: Focus on Model View");
    await page.waitForTimeout(500);
    await page.keyboard.press("Home");
    return /PreLNTransformer/.test(await spoken());
  });
  await press("ArrowDown", /token_embedding/);
  await press("ArrowDown", /blocks/);
  await press("ArrowRight", /0.*PreLNBlock/);
  expect(await spoken()).toMatch(/forward RMS .* gradient RMS /);
  await page.keyboard.press("Enter");
  await statusItem(page, /Ln 68,/).waitFor();
  await shot(page, "keyboard-03-tree");
});

test("the panel's tabs, its controls and the saving of a chart are reached", async () => {
  await command("Normscope: Open Charts and Tables");
  const panel = await webviewOf(page, "panel");
  const focused = () =>
    panel.evaluate(() => {
      const node = document.activeElement;
      const own = node?.getAttribute("aria-label") ?? node?.textContent ?? "";
      return `${node?.tagName.toLowerCase()} ${own.replaceAll(/\s+/g, " ").trim()}`.slice(0, 80);
    });
  // It opens beside the code and leaves the focus there.
  await page.keyboard.press("ControlOrMeta+2");
  await eventually("the panel's focus", () => panel.evaluate(() => document.hasFocus()));
  await eventually("the tabs", async () => {
    await page.keyboard.press("Tab");
    return (await focused()).startsWith("ns-panel-tab");
  });
  await eventually("the page One value", async () => {
    await page.keyboard.press("ArrowRight");
    return (await panel.getByRole("heading", { name: "One value" }).count()) > 0;
  });
  await panel.getByText("What narrower formats would lose").first().waitFor();
  const seen: string[] = [];
  await eventually("the menu that saves", async () => {
    await page.keyboard.press("Tab");
    seen.push(await focused());
    return seen.at(-1)?.startsWith("summary Save");
  });
  expect(seen.some((it) => it.startsWith("ns-dropdown"))).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await focused()).toMatch(/^ns-button SVG/);
  await shot(page, "keyboard-04-panel");
  await page.keyboard.press("Escape");
});

test("a run is cancelled from the palette", async () => {
  await choose("ControlOrMeta+P", "endless.py", "endless.py");
  await page.locator('.tab.active[data-resource-name="endless.py"]').waitFor();
  await command("Normscope: Run Model");
  await command("Normscope: Cancel Run");
  await eventually("no run", async () => {
    const running = page.locator(".statusbar-item .codicon-loading:visible");
    return (await running.count()) === 0;
  });
});

test("nothing of this was clicked", async () => {
  expect(await page.evaluate(() => clicks)).toBe(0);
  expect(session.violations).toEqual([]);
});
