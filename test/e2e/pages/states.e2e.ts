/** The pages in every state that they can be in: nothing run, running, failed, restricted, no details. */
import { expect, test } from "vitest";
import type { Init, WebviewKind } from "../../../src/protocol/webview.ts";
import { axeViolations } from "../harness/axe.ts";
import { servePages } from "../harness/pages.ts";
import { shot } from "../harness/shots.ts";
import { initWith, sampleForm, shownRun } from "./sampleRuns.ts";

const openPage = servePages();

const progress = { subject: "pre_ln.py:PreLNTransformer", stage: "tracing", since: Date.now() };
const failure = {
  code: "trace/python",
  message: "RuntimeError: mat1 and mat2 shapes cannot be multiplied (128x64 and 32x64)",
  hint: "Make d_model 64",
  place: { file: "pre_ln.py", line: 24 },
};
const stale = { ...shownRun("pre"), summary: { ...shownRun("pre").summary, isStale: true } };

const states: readonly (readonly [string, Partial<Init>])[] = [
  ["empty", {}],
  ["running", { progress }],
  ["running-again", { progress, shown: [shownRun("pre")] }],
  ["failed", { failure }],
  ["failed-again", { failure, shown: [shownRun("pre")] }],
  ["restricted", { isTrusted: false }],
  ["edited", { shown: [stale] }],
];
const pages = ["configure", "compare", "value", "attention", "train"] as const;
const drawn: readonly (readonly [WebviewKind, Init["page"]])[] = [
  ["dashboard", null],
  ...pages.map((page) => ["panel", page] as const),
];

test.each(states)("the state %s has no violation on any page", async (name, parts) => {
  for (const [kind, which] of drawn) {
    const theme = "dark";
    const size = kind === "panel" ? { width: 1000, height: 900 } : { width: 300, height: 900 };
    const { page, say, violations } = await openPage({ kind, theme, ...size });
    const form = which === "configure" || which === "train" ? { form: sampleForm } : {};
    await say(initWith({ ...form, ...parts, page: which }));
    await page.waitForTimeout(200);
    expect(await axeViolations(page), `${kind} ${which}`).toEqual([]);
    expect(await violations()).toEqual([]);
    if (kind === "dashboard" || which === "value") {
      await shot(page, `state-${name}-${which ?? kind}`);
    }
    await page.close();
  }
});

test("a value without details says so", async () => {
  const options = { kind: "panel", theme: "light", width: 1000, height: 900 } as const;
  const { page, say } = await openPage(options);
  await say(initWith({ shown: [shownRun("pre")], page: "value" }));
  await say({ type: "detail", value: { runId: "pre", index: 0 }, detail: null });
  await page.getByText("No histogram of this value").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.close();
});

test("words that come with the first message are on the tabs too", async () => {
  const options = { kind: "panel", theme: "dark", width: 1000, height: 900 } as const;
  const { page, say, kept } = await openPage(options);
  const strings = { "One value": "Ein Wert", Compare: "Vergleichen", "Compare runs": "Läufe" };
  await say(initWith({ shown: [shownRun("pre")], page: "compare", strings }));
  await page.getByRole("heading", { name: "Läufe" }).waitFor();
  await page.getByRole("tab", { name: "Ein Wert" }).click();
  await page.locator(".region.value h1").waitFor();
  expect(await page.getByRole("tab", { name: "Compare" }).count()).toBe(0);
  await page.getByRole("tab", { name: "Vergleichen" }).click();
  expect(await kept()).toMatchObject({ page: "compare" });
  await page.close();
});
