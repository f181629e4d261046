/** Training, a sweep and the Testing view in the real editor, from the palette on. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeViolations } from "./harness/axe.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import { openFile, pickEntry, runCommand, statusItem } from "./harness/workbench.ts";

let session: Session;
let page: Page;
beforeAll(async () => {
  session = await startSession({ file: null, width: 1500, height: 1000 });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

test("the form trains the model that the editor shows, stops after a step, and goes on", async () => {
  await openFile(page, "pre_ln.py");
  await runCommand(page, "Normscope: Train…");
  await pickEntry(page, "PreLNTransformer");
  const panel = await webviewOf(page, "panel");
  await panel.getByRole("textbox", { name: "Steps", exact: true }).fill("60");
  await panel.getByRole("button", { name: "Start training" }).click();
  await statusItem(page, /step \d+ of 60, loss/).waitFor();
  await panel.getByText(/: step \d+ of 60, loss/).waitFor();
  await shot(page, "training-01-running");
  await panel.getByRole("button", { name: "Stop after this step" }).click();
  await panel.getByText(/stopped, \d+ of 60 steps/).waitFor();
  await panel.getByRole("button", { name: "Continue the last run" }).click();
  await panel.getByText(/done, 60 of 60 steps/).waitFor({ timeout: 90_000 });
  await shot(page, "training-02-done");
  expect(await axeViolations(panel)).toEqual([]);
});

test("a run that is not finite ends, names the line, and leads to it", async () => {
  const panel = await webviewOf(page, "panel");
  await panel.getByRole("textbox", { name: "Learning rate" }).fill("1e30");
  await panel.getByRole("textbox", { name: "Steps of warm-up" }).fill("0");
  await panel.getByRole("button", { name: "Start training" }).click();
  // The run's findings have the line too.
  const failure = panel.locator(".failure").first();
  const told = failure.locator("p").first();
  await told.getByText(/Not finite at step \d+/).waitFor();
  const [, number = ""] = /pre_ln\.py:(\d+)/.exec((await told.textContent()) ?? "") ?? [];
  const line = failure.getByRole("button", { name: `pre_ln.py:${number}` });
  await shot(page, "training-03-not-finite");
  await line.click();
  await statusItem(page, new RegExp(`Ln ${number},`)).waitFor();
});

test("a sweep over the depth gives medians and an exponent", async () => {
  await openFile(page, "pre_ln.py");
  await runCommand(page, "Normscope: Sweep…");
  await pickEntry(page, "PreLNTransformer");
  const panel = await webviewOf(page, "panel");
  await panel.getByRole("textbox", { name: "Values of n_layers" }).fill("2, 4, 8");
  await panel.getByRole("button", { name: "Start the sweep" }).click();
  await panel.getByText(/[1-8] of 9 runs, at initialisation, running/).waitFor();
  await panel.getByRole("button", { name: "Stop", exact: true }).click();
  await shot(page, "training-04-sweep-stopped");
  await panel.getByRole("button", { name: /Go on with \d runs/ }).click();
  await panel.getByText("9 of 9 runs, at initialisation").waitFor({ timeout: 90_000 });
  await panel.getByText("Exponents: y ~ axis^slope").first().waitFor();
  await shot(page, "training-04-sweep");
  expect(await axeViolations(panel)).toEqual([]);
});

test("what the form says opens as a command", async () => {
  await openFile(page, "pre_ln.py");
  await runCommand(page, "Normscope: Train…");
  await pickEntry(page, "PreLNTransformer");
  const panel = await webviewOf(page, "panel");
  await panel.getByRole("textbox", { name: "Weight decay" }).fill("0.1");
  await panel.getByRole("button", { name: "Open as a command", exact: true }).click();
  await page.getByText("normscope train pre_ln.py:PreLNTransformer").first().waitFor();
  await page.getByText("--weight-decay 0.1").first().waitFor();
  await shot(page, "training-05-command");
});

test("a published claim is run, each number beside what PyTorch measured", async () => {
  await runCommand(page, "Normscope: Published Claims…");
  const panel = await webviewOf(page, "panel");
  const name = "Run: Gradient over the layers of a translation model";
  await panel.getByRole("button", { name }).click();
  await panel.getByText("as expected").first().waitFor({ timeout: 90_000 });
  await shot(page, "training-06-claim");
  expect(await axeViolations(panel)).toEqual([]);
});

test("the Testing view runs the model", async () => {
  await openFile(page, "pre_ln.py");
  await runCommand(page, "View: Show Testing");
  await page.getByText("pre_ln.py:PreLNTransformer").first().waitFor();
  await runCommand(page, "Test: Run All Tests");
  await eventually("a result", async () => {
    const row = page.locator(".test-explorer .monaco-list-row").first();
    return /Passed|Failed/.test((await row.getAttribute("aria-label")) ?? "");
  });
  await shot(page, "training-07-testing");
  expect(session.violations).toEqual([]);
});
