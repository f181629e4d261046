/** A finding and its fix, a run from the tree and from the panel, and a value by its axes. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeViolations } from "./harness/axe.ts";
import { clickLensOver, focusEditor, goTo, save, textAfter } from "./harness/editor.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import {
  openContainer,
  openFile,
  paneOf,
  pickEntry,
  problems,
  runCommand,
} from "./harness/workbench.ts";

/** Softmax over the queries: each key divides itself among them. */
const queries = `import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model: int = 32, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d_model, 3 * d_model)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        weights = F.softmax(scores, dim=2)
        return x + (weights @ v).transpose(1, 2).reshape(B, T, D)
`;
const softmaxLine = 16;
/** `x = x + self.attn(self.norm1(x))` of the bundled model. */
const streamLine = 79;

let session: Session;
let page: Page;
beforeAll(async () => {
  const files = { "queries.py": queries };
  session = await startSession({ files, file: "queries.py", width: 1500, height: 1000 });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

const listed = async () => (await problems(page)).filter((row) => row.includes("softmax-axis"));

test("a finding whose line has a known form offers its edit, and is gone after the run", async () => {
  await clickLensOver(page, 6, /^\W*Run$/);
  await eventually("numbers", () => textAfter(page, softmaxLine));
  const [row] = await eventually("the finding", async () => {
    const rows = await listed();
    return rows.length > 0 && rows;
  });
  expect(row).toContain(`Ln ${softmaxLine}`);
  await focusEditor(page);
  await goTo(page, softmaxLine, 9);
  await page.keyboard.press("ControlOrMeta+.");
  const fix = page.locator(".action-widget").getByText("Take softmax over the axis");
  await fix.waitFor();
  await shot(page, "mending-01-offered");
  await fix.click();
  await page.locator(".view-line", { hasText: "F.softmax(scores, dim=-1)" }).waitFor();
  await save(page);
  await eventually("no finding", async () => (await listed()).length === 0);
  const text = await eventually("its numbers", () => textAfter(page, softmaxLine));
  expect(text).not.toMatch(/^edited/);
  await shot(page, "mending-02-mended");
});

test("the view of the model runs it again", async () => {
  await openContainer(page, "Normscope");
  await runCommand(page, "Normscope: Clear Numbers");
  await eventually("no numbers", async () => (await textAfter(page, softmaxLine)) === null);
  await clickLensOver(page, 6, /^\W*Run$/);
  await eventually("numbers", () => textAfter(page, softmaxLine));
  const runs = paneOf(page, "Runs").locator(".monaco-list-row");
  const before = await eventually("the history", () => runs.count());
  const model = paneOf(page, "Model");
  await model.hover();
  await model.locator('.action-label[aria-label^="Run Again"]').click();
  await eventually("another run", async () => (await runs.count()) > before);
});

test("the panel runs what its form says", async () => {
  await openFile(page, "pre_ln.py");
  await runCommand(page, "Normscope: Configure Run…");
  await pickEntry(page, "PreLNTransformer");
  const panel = await webviewOf(page, "panel");
  await panel.getByRole("textbox", { name: "n_layers" }).fill("3");
  await shot(page, "mending-03-form");
  await panel.getByRole("button", { name: "Run", exact: true }).click();
  await openContainer(page, "Normscope");
  const dashboard = await webviewOf(page, "dashboard");
  await dashboard.getByText(/Pre-LN, 3 blocks/).waitFor();
});

test("the panel draws a value by position, and by what else is chosen", async () => {
  await openFile(page, "pre_ln.py");
  await goTo(page, streamLine);
  await runCommand(page, "Normscope: Show Value of This Line");
  const panel = await webviewOf(page, "panel");
  const figure = panel.locator("figure", { hasText: "Value: " }).last();
  await figure.getByRole("heading", { name: "RMS by position" }).waitFor();
  await figure.getByRole("combobox").click();
  await panel.getByRole("option", { name: "Largest magnitude by feature" }).click();
  await figure.getByRole("heading", { name: "Largest magnitude by feature" }).waitFor();
  await figure.scrollIntoViewIfNeeded();
  await shot(page, "mending-04-slices");
  expect(await axeViolations(panel)).toEqual([]);
});

test("the panel and the views have no column wider than they are", async () => {
  for (const kind of ["dashboard", "panel"] as const) {
    const frame = await webviewOf(page, kind);
    const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, kind).toBeLessThanOrEqual(0);
  }
  const width = await (await webviewOf(page, "dashboard")).evaluate(() => innerWidth);
  expect(width).toBeLessThanOrEqual(300);
});

test("the dashboard goes on after it was moved to another place", async () => {
  await runCommand(page, "View: Move View");
  await pickEntry(page, "Dashboard");
  await pickEntry(page, "New Panel Entry");
  const dashboard = await webviewOf(page, "dashboard");
  await dashboard.getByRole("heading", { name: "PreLNTransformer" }).waitFor();
  await openFile(page, "queries.py");
  await clickLensOver(page, 6, /^\W*Run$/);
  const moved = await webviewOf(page, "dashboard");
  await moved.getByRole("heading", { name: "Attention" }).waitFor();
  await shot(page, "mending-05-moved");
});

test("no page broke its policy", () => {
  expect(session.violations).toEqual([]);
});
