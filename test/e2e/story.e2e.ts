/** The story of the extension in the real editor, read as a person reads it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lineNotes } from "../../src/present/lineNotes.ts";
import type { RunReport } from "../../src/protocol/report.ts";
import {
  type BesideText,
  clickLensOver,
  focusEditor,
  goTo,
  hoverText,
  lenses,
  save,
  textAfter,
  textsAfterLines,
  topOfLine,
  typeAt,
  waitForLens,
} from "./harness/editor.ts";
import { commandLine } from "./harness/extension.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { openFile, problems, statusBar } from "./harness/workbench.ts";

let session: Session;
let page: Page;
let source: string;
const lineOf = (code: string): number =>
  source.split("\n").findIndex((line) => line.includes(code)) + 1;

/** Python that looks at a number, and a logarithm of zero: a person would want to be told. */
const broken = `import torch
from torch import nn


class Broken(nn.Module):
    def __init__(self, d_model: int = 16):
        super().__init__()
        self.fc = nn.Linear(d_model, d_model)

    def forward(self, x):
        y = torch.relu(self.fc(x) - 100.0)
        if y.max() > 0:
            y = y + 1
        return torch.log(y)
`;

const printing = `from torch import nn


class Printing(nn.Module):
    def __init__(self, d_model: int = 16):
        super().__init__()
        self.fc = nn.Linear(d_model, d_model)

    def forward(self, x):
        print("into the layer:", tuple(x.shape))
        return self.fc(x)
`;

beforeAll(async () => {
  session = await startSession({ files: { "broken.py": broken, "printing.py": printing } });
  ({ page } = session);
  source = readFileSync(join(session.folder.path, "pre_ln.py"), "utf8");
});
afterAll(() => session?.close());
shootFailures(() => page);

test("lenses stand over the classes before anything is run", async () => {
  await waitForLens(page, "Run");
  await goTo(page, lineOf("class PreLNTransformer"));
  await waitForLens(page, "Compare Pre-LN and Post-LN");
  await waitForLens(page, "Export to ONNX");
  await shot(page, "story-01-lenses");
});

test("a run from the lens puts the command line's numbers beside the lines", async () => {
  const line = lineOf("class PreLNTransformer");
  const before = await topOfLine(page, line);
  await clickLensOver(page, line, /^\W*Run$/);
  await eventually(
    "numbers",
    async () => (await textAfter(page, lineOf("x = x + self.attn"))) ?? false,
  );
  await shot(page, "story-02-numbers");
  expect(await topOfLine(page, line), "the code stays where it was").toBe(before);
  const expected = lineNotes(commandLineReport("pre_ln.py:PreLNTransformer"), "pre_ln.py");
  expect(expected.length).toBeGreaterThan(10);
  const shown = new Map<number, string>();
  for (const { line: at } of expected) {
    if (shown.has(at)) continue;
    await goTo(page, at);
    await eventually(`line ${at}`, async () => (await textAfter(page, at)) !== null);
    for (const it of await textsAfterLines(page)) shown.set(it.line, it.text);
  }
  expect(spaced(shown)).toEqual(spaced(new Map(expected.map((it) => [it.line, it.text]))));
});

const spaced = (texts: ReadonlyMap<number, string>) =>
  Object.fromEntries([...texts].map(([line, text]) => [line, text.replaceAll(/\s+/g, " ")]));

function commandLineReport(model: string): RunReport {
  const args = [commandLine, "run", model, "--json", "-"];
  const options = { cwd: session.folder.path, encoding: "utf8", maxBuffer: 1e9 } as const;
  return JSON.parse(execFileSync(process.execPath, args, options));
}

test("the numbers of a block stand over its class, and the device in the status bar", async () => {
  await goTo(page, lineOf("class PreLNBlock"));
  await eventually("a lens with numbers", async () =>
    (await lenses(page)).some((text) => /stream|gain|×/.test(text)),
  );
  await shot(page, "story-03-block");
  expect((await statusBar(page)).join(" | ")).toMatch(/cpu/i);
});

test("a hover has the table of the layers and a picture", async () => {
  const line = lineOf("x = x + self.attn");
  await goTo(page, line);
  const text = await hoverText(page, line, "attn", "blocks.0");
  await shot(page, "story-04-hover");
  expect(text).toContain("RMS");
  const picture = page.locator(".monaco-hover:not(.hidden) img");
  expect(await picture.count()).toBeGreaterThan(0);
  expect(await picture.first().getAttribute("alt")).toMatch(/→/);
  expect(
    await picture.first().evaluate((it) => (it as HTMLImageElement).naturalWidth),
  ).toBeGreaterThan(50);
  await page.keyboard.press("Escape");
});

test("an edit takes the numbers of its line away and marks the others", async () => {
  const line = lineOf("x = x + self.attn");
  const other = lineOf("x = x + self.ffn");
  await goTo(page, line);
  const [before] = (await textsAfterLines(page)).filter((it) => it.line === other);
  await typeAt(page, line, columnOf(line, "self.attn"), "2 * ");
  await eventually(
    "no number on the edited line",
    async () => (await textAfter(page, line)) === null,
  );
  const after = await eventually("stale numbers", async () => staleText(page, other));
  await shot(page, "story-05-stale");
  expect(after.colour).not.toBe(before?.colour);
});

const columnOf = (line: number, code: string): number =>
  (source.split("\n")[line - 1] ?? "").indexOf(code) + 1;

async function staleText(window: Page, line: number): Promise<BesideText | null> {
  const texts = await textsAfterLines(window);
  return texts.find((it) => it.line === line && it.text.startsWith("edited")) ?? null;
}

test("undo brings the numbers back without a run", async () => {
  const line = lineOf("x = x + self.attn");
  await focusEditor(page);
  await eventually("the numbers", async () => {
    if ((await textAfter(page, line)) !== null) return true;
    await page.keyboard.press("ControlOrMeta+Z");
    return false;
  });
  expect(await staleText(page, lineOf("x = x + self.ffn"))).toBeNull();
  await typeAt(page, line, columnOf(line, "self.attn"), "2 * ");
  await eventually("the edit again", async () => (await textAfter(page, line)) === null);
});

test("saving runs it again, and the change of each number stands beside it", async () => {
  const line = lineOf("x = x + self.attn");
  await save(page);
  const text = await eventually("numbers of the new text", () => textAfter(page, line));
  await shot(page, "story-06-again");
  expect(text).toMatch(/→ .*Δ/);
});

test("what is not finite stands out at its line", async () => {
  await openFile(page, "broken.py");
  await clickLensOver(page, 5, /^\W*Run$/);
  const text = await eventually("numbers", () => textAfter(page, 14));
  expect(text).toMatch(/inf/);
});

test("a finding stands in Problems and can be silenced at its line", async () => {
  const row = await eventually("a problem", async () =>
    (await problems(page)).find((it) => it.includes("trace/branch")),
  );
  await shot(page, "story-07-problems");
  expect(row).toContain("normscope");
  expect(row).toContain("Ln 12");
  await focusEditor(page);
  await goTo(page, 12, 9);
  await page.keyboard.press("ControlOrMeta+.");
  const action = page.locator(".action-widget").getByText("Silence 'trace/branch' on this line");
  await action.waitFor();
  await shot(page, "story-08-fix");
  await action.click();
  await save(page);
  await eventually("no problem", async () => {
    const rows = await problems(page);
    return rows.every((it) => !it.includes("trace/branch"));
  });
});

test("a line that prints tells in its hover what it printed", async () => {
  await openFile(page, "printing.py");
  await clickLensOver(page, 4, /^\W*Run$/);
  await eventually("numbers", () => textAfter(page, 11));
  const text = await hoverText(page, 10, "print", "into the layer");
  await shot(page, "story-09-printed");
  expect(text).toMatch(/Printed by this line\s+into the layer: \(\d+, \d+, 16\)/);
});

test("no page broke its policy", () => {
  expect(session.violations).toEqual([]);
});
