/** The window of the editor: commands, files, views, messages, status bar. */
import type { Browser, Locator, Page } from "playwright-core";
import { eventually, patienceMs } from "./waiting.ts";

export interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  /** Called with the page before anything is loaded. */
  readonly before?: (page: Page) => Promise<void>;
}

export async function openWindow(
  browser: Browser,
  url: string,
  { width = 1400, height = 900, before = async () => {} }: WindowOptions = {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(patienceMs);
  await before(page);
  await page.goto(url, { waitUntil: "commit" });
  await untilReady(page);
  return page;
}

export async function untilReady(page: Page): Promise<void> {
  await page.locator(".monaco-workbench .part.statusbar").waitFor();
  await page.locator(".monaco-workbench .part.editor").waitFor();
}

/** As a person does it: the editor writes down what it shows before. */
export async function reloadWindow(page: Page): Promise<void> {
  const loaded = page.waitForEvent("load");
  await runCommand(page, "Developer: Reload Window");
  await loaded;
  await untilReady(page);
}

/** Spaces that do not break are how the editor draws all of them. */
export const plain = (text: string): string => text.replaceAll("\u00a0", " ").trim();

const input = (page: Page): Locator => page.locator(".quick-input-widget:visible");
const entries = (page: Page): Locator => input(page).locator(".monaco-list-row");

/** Opens the quick input with a key, types, and takes the entry of that name. */
async function quickOpen(page: Page, key: string, text: string, entry: string): Promise<void> {
  const name = page.getByText(entry, { exact: true });
  // Whatever takes the focus while a part of the window loads closes the input: all is tried again.
  await eventually(`'${entry}' in the quick input`, async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press(key);
    await input(page).locator("input").fill(text, { timeout: 4000 });
    await entries(page).filter({ has: name }).first().click({ timeout: 5000 });
    return true;
  });
}

/** By its title in the palette: "Normscope: Run". */
export const runCommand = (page: Page, title: string): Promise<void> =>
  quickOpen(page, "F1", `>${title}`, title);

export async function openFile(page: Page, path: string): Promise<void> {
  const name = path.split("/").at(-1) ?? path;
  await quickOpen(page, "ControlOrMeta+P", path, name);
  await page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor();
}

/** What the palette offers for a text. */
export async function paletteEntries(page: Page, text: string): Promise<string[]> {
  await page.keyboard.press("F1");
  await input(page).locator("input").fill(`>${text}`);
  await entries(page).first().waitFor();
  await page.waitForTimeout(500);
  const names = await entries(page).locator(".label-name").allInnerTexts();
  await page.keyboard.press("Escape");
  return names.map(plain);
}

export const pickEntry = async (page: Page, text: string): Promise<void> =>
  entries(page).filter({ hasText: text }).first().click();

/** Answers the input box or the file dialog that is open. */
export async function answerInput(page: Page, text: string): Promise<void> {
  await eventually("an input box", async () => {
    await input(page).locator(".quick-input-box input").fill(text, { timeout: 2000 });
    return true;
  });
  await page.keyboard.press("Enter");
}

export async function openContainer(page: Page, title: string): Promise<void> {
  const action = page.locator(".part.activitybar .action-item", {
    has: page.locator(`.action-label[aria-label^="${title}"]`),
  });
  const isOpen = await action.first().evaluate((it) => it.classList.contains("checked"));
  if (!isOpen) await action.first().click();
}

export const statusBar = async (page: Page): Promise<string[]> => {
  const items = await page.locator(".part.statusbar .statusbar-item:visible").allInnerTexts();
  return items.map(plain).filter((text) => text !== "");
};

export const statusItem = (page: Page, text: string | RegExp): Locator =>
  page.locator(".part.statusbar .statusbar-item", { hasText: text }).first();

/** Rows of a tree by the view's name, as they are drawn. */
export async function treeRows(page: Page, view: string): Promise<string[]> {
  const pane = paneOf(page, view);
  return (await pane.locator(".monaco-list-row").allInnerTexts()).map((it) =>
    plain(it).replaceAll(/\s+/g, " "),
  );
}

export const paneOf = (page: Page, view: string): Locator =>
  page.locator(".pane", { has: page.locator(`.pane-header[aria-label^="${view}"]`) }).first();

/** Rows of Problems, opened where it is not. */
export async function problems(page: Page): Promise<string[]> {
  const panel = page.locator(".markers-panel:visible");
  if ((await panel.count()) === 0) await runCommand(page, "Problems: Focus on Problems View");
  await panel.first().waitFor();
  const rows = await panel.locator(".monaco-list-row").allInnerTexts();
  return rows.map((row) => plain(row).replaceAll(/\s+/g, " "));
}

/** Texts of the messages that are shown now. */
export async function notifications(page: Page): Promise<string[]> {
  const messages = page.locator(".notification-list-item:visible .notification-list-item-message");
  return (await messages.allInnerTexts()).map(plain);
}

export async function pressNotificationButton(page: Page, text: string, button: string) {
  const item = page.locator(".notification-list-item:visible", { hasText: text }).first();
  await item.hover();
  await item.locator(".monaco-button", { hasText: button }).first().click();
}

export async function useColourTheme(page: Page, name: string): Promise<void> {
  await runCommand(page, "Preferences: Color Theme");
  await input(page).locator("input").fill(name);
  await entries(page).filter({ hasText: name }).first().click();
  await input(page).waitFor({ state: "hidden" });
}
