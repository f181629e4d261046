/** A run in the second language: whatever is shown has been translated. */
import { readFileSync } from "node:fs";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  clickLensOver,
  goTo,
  hoverText,
  lenses,
  textAfter,
  waitForLens,
} from "./harness/editor.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import { openContainer, problems, runCommand } from "./harness/workbench.ts";

const read = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const german = read("l10n/bundle.l10n.de.json");
const de = (text: string): string => german[text] ?? `not translated: ${text}`;
/** English texts that German does not have alike. */
const english = Object.entries(german).flatMap(([text, it]) => (text === it ? [] : [text]));

let session: Session;
let page: Page;
beforeAll(async () => {
  session = await startSession({
    width: 1500,
    height: 1000,
    // The editor itself and the manifest stay English: their words come with a language pack.
    before: async (opened) => {
      await opened.addInitScript(() => {
        Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: "de" });
      });
    },
  });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

const modelLine = 84;
const streamLine = 79;

test("lenses", async () => {
  await waitForLens(page, de("Run"));
  await goTo(page, modelLine);
  await waitForLens(page, de("Export to ONNX"));
  const shown = await lenses(page);
  expect(shown).not.toContain("Export to ONNX");
  await shot(page, "language-01-lenses");
});

test("numbers, their hover, and what a finding offers", async () => {
  await clickLensOver(page, modelLine, new RegExp(`^\\W*${de("Run")}$`));
  await eventually("numbers", () => textAfter(page, streamLine));
  await goTo(page, streamLine);
  const text = await hoverText(page, streamLine, "attn", "blocks.0");
  expect(text).toContain(de("forward RMS").replace(" {0}", ""));
  await shot(page, "language-02-hover");
  await page.keyboard.press("Escape");
});

/** Words of ours that a page shows in English, though they have a translation. */
const left = (frame: Frame): Promise<string[]> =>
  frame.evaluate((known) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = (node.textContent ?? "").trim();
      // Paths of modules can be words of ours.
      const isPath = node.parentElement?.closest("code, .heat-names, tbody th") !== null;
      if (!isPath && known.includes(text)) found.push(text);
    }
    return found;
  }, english);

test("the pages", async () => {
  await openContainer(page, "Normscope");
  const dashboard = await webviewOf(page, "dashboard");
  await dashboard.getByRole("heading", { name: "PreLNTransformer" }).waitFor();
  expect(await left(dashboard)).toEqual([]);
  await runCommand(page, "Normscope: Open Charts and Tables");
  const panel = await webviewOf(page, "panel");
  for (const name of ["Configure", "Compare", "One value", "Attention"]) {
    await panel.getByRole("tab", { name: de(name) }).click();
    await eventually("the page", async () => (await panel.locator("h1:visible").count()) > 0);
    if (name === "One value") await panel.getByText(de("By axis")).first().waitFor();
    expect(await left(panel), name).toEqual([]);
    await shot(page, `language-03-${name.toLowerCase().replaceAll(" ", "-")}`);
  }
});

test("no page broke its policy", async () => {
  expect(await problems(page)).toBeDefined();
  expect(session.violations).toEqual([]);
});
