/** Text editors: lenses, texts beside the code, hovers, typing. */
import type { ElementHandle, Locator, Page } from "playwright-core";
import { eventually, sleep } from "./waiting.ts";
import { plain } from "./workbench.ts";

/** The editor of a file by its name; without a name the active one. */
export function editorOf(page: Page, file?: string): Locator {
  const selector =
    file === undefined
      ? ".editor-group-container.active .monaco-editor[data-uri]"
      : `.editor-group-container .monaco-editor[data-uri$="/${file}"]`;
  return page.locator(selector).first();
}

const lensIn = (page: Page, file?: string): Locator =>
  editorOf(page, file).locator(".codelens-decoration > a");

export async function lenses(page: Page, file?: string): Promise<string[]> {
  return (await lensIn(page, file).allInnerTexts()).map(plain);
}

export const waitForLens = (page: Page, text: string | RegExp, file?: string): Promise<void> =>
  lensIn(page, file).filter({ hasText: text }).first().waitFor();

/** Clicks the lens with this text over a line, which is scrolled to. */
export async function clickLensOver(page: Page, line: number, text: string | RegExp) {
  await focusEditor(page);
  await goTo(page, line);
  await eventually(`the lens ${text} over line ${line}`, async () => {
    const top = await topOfLine(page, line);
    const all = await lensIn(page).filter({ hasText: text }).all();
    for (const lens of all) {
      const box = await lens.boundingBox();
      if (top === null || box === null || Math.abs(box.y + box.height - top) > 8) continue;
      const node = await lens.elementHandle();
      const before = await placeOf(node);
      await sleep(750);
      if (before === null || (await placeOf(node)) !== before) return false;
      await node?.click({ timeout: 3000 });
      return true;
    }
    return false;
  });
}

/** In pixels of the window; null where the line is not drawn. */
export const topOfLine = (page: Page, line: number): Promise<number | null> =>
  editorOf(page).evaluate((root, number) => {
    for (const row of root.querySelectorAll<HTMLElement>(".margin-view-overlays > div")) {
      const shown = row.querySelector(".line-numbers")?.textContent?.trim();
      if (shown === String(number)) return row.getBoundingClientRect().top;
    }
    return null;
  }, line);

/** The editor draws lenses anew shortly after the first time, and then a click is lost. */
export async function clickLens(page: Page, text: string | RegExp, nth = 0): Promise<void> {
  await eventually(`the lens ${text}`, async () => {
    const lens = lensIn(page).filter({ hasText: text }).nth(nth);
    const node = await lens.elementHandle();
    const before = await placeOf(node);
    await sleep(750);
    if (before === null || (await placeOf(node)) !== before) return false;
    await node?.click({ timeout: 3000 });
    return true;
  });
}

/** null for a node that is no longer drawn. */
async function placeOf(node: ElementHandle | null): Promise<string | null> {
  const box = (await node?.boundingBox()) ?? null;
  return box === null ? null : JSON.stringify(box);
}

export interface BesideText {
  readonly line: number;
  readonly text: string;
  readonly colour: string;
  readonly opacity: string;
}

/** What stands after the code of the lines that are drawn. It is in no node, only in styles. */
export async function textsAfterLines(page: Page, file?: string): Promise<BesideText[]> {
  return editorOf(page, file).evaluate((root) => {
    const top = (node: HTMLElement) => Math.round(Number.parseFloat(node.style.top));
    const numberAt = new Map<number, number>();
    for (const row of root.querySelectorAll<HTMLElement>(".margin-view-overlays > div")) {
      const number = row.querySelector(".line-numbers")?.textContent?.trim();
      if (number) numberAt.set(top(row), Number(number));
    }
    const found = [];
    for (const line of root.querySelectorAll<HTMLElement>(".view-lines > .view-line")) {
      for (const span of line.querySelectorAll("span")) {
        const style = getComputedStyle(span, "::after");
        const { content } = style;
        if (!content.startsWith('"') || content === '""') continue;
        const text = content.slice(1, -1).replaceAll(/\\(["\\])/g, "$1");
        const shown = text.replaceAll("\u00a0", " ").trim();
        const { color, opacity } = style;
        found.push({ line: numberAt.get(top(line)) ?? 0, text: shown, colour: color, opacity });
      }
    }
    return found;
  });
}

/** The text after one line; null where there is none. */
export async function textAfter(page: Page, line: number, file?: string): Promise<string | null> {
  const texts = await textsAfterLines(page, file);
  return texts.find((it) => it.line === line)?.text ?? null;
}

export async function goTo(page: Page, line: number, column = 1): Promise<void> {
  await page.keyboard.press("Control+G");
  const input = page.locator(".quick-input-widget:visible");
  const box = input.locator("input");
  await box.fill(`:${line}:${column}`);
  // A key that comes before the editor has read the line number is lost.
  await input
    .locator(".monaco-list-row")
    .filter({ hasText: new RegExp(`\\b${line}\\b`) })
    .waitFor();
  await box.press("Enter");
  await input.waitFor({ state: "hidden" });
}

/** Rests the mouse on a word of a line and gives what appears, once it contains a text. */
export async function hoverText(
  page: Page,
  line: number,
  word: string,
  contains: string,
): Promise<string> {
  return eventually(`a hover on line ${line}`, async () => {
    const point = await placeOfWord(page, line, word);
    if (point === null) return null;
    await page.mouse.move(point.x + 60, point.y + 120);
    await page.mouse.move(point.x, point.y, { steps: 4 });
    const rows = page.locator(".monaco-hover:not(.hidden) .hover-row:visible");
    await rows.first().waitFor({ timeout: 3000 });
    const text = (await rows.allInnerTexts()).map(plain).join("\n");
    return text.includes(contains) ? text : null;
  });
}

function placeOfWord(page: Page, line: number, word: string) {
  return editorOf(page).evaluate(
    (root, { line, word }) => {
      const rows = [...root.querySelectorAll<HTMLElement>(".margin-view-overlays > div")];
      const row = rows.find(
        (it) => it.querySelector(".line-numbers")?.textContent?.trim() === String(line),
      );
      const lines = [...root.querySelectorAll<HTMLElement>(".view-lines > .view-line")];
      const view = lines.find((it) => it.style.top === row?.style.top);
      if (view === undefined) return null;
      const walker = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = (node.textContent ?? "").replaceAll("\u00a0", " ").indexOf(word);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
      return null;
    },
    { line, word },
  );
}

/** Where the editor hears keys. */
export const focusEditor = (page: Page, file?: string): Promise<void> =>
  editorOf(page, file).locator(".native-edit-context, textarea.inputarea").first().focus();

export async function typeAt(page: Page, line: number, column: number, text: string) {
  await focusEditor(page);
  await goTo(page, line, column);
  await page.keyboard.insertText(text);
}

export async function save(page: Page): Promise<void> {
  await page.keyboard.press("ControlOrMeta+S");
  await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
}
