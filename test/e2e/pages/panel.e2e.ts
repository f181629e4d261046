/** The panel without the editor: every page of it, in every theme, under the page's policy. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeViolations } from "../harness/axe.ts";
import { type OpenOptions, themes } from "../harness/pageHost.ts";
import { servePages } from "../harness/pages.ts";
import { shot } from "../harness/shots.ts";
import { eventually } from "../harness/waiting.ts";
import { detailOf, initWith, sampleForm, shownRun } from "./sampleRuns.ts";
import { sampleClaims, sampleSweep, sampleTrainings } from "./sampleTrainings.ts";

const openPage = servePages();

const wide: OpenOptions = { kind: "panel", theme: "dark", width: 1100, height: 1500 };
const both = {
  shown: [shownRun("pre"), shownRun("post")],
  trainings: sampleTrainings,
};
const everything = { ...both, form: sampleForm, sweep: sampleSweep, claims: sampleClaims };
const pages = ["configure", "compare", "value", "attention", "train", "sweep", "claims"] as const;

test.each(pages)("shows the page %s in every theme, without a violation", async (name) => {
  const { page, say, heard, violations, useTheme } = await openPage(wide);
  await say(initWith({ ...everything, page: name }));
  await page.waitForTimeout(300);
  const asked = (await heard()).find(({ type }) => type === "detail");
  if (asked?.type === "detail") await say(detailOf(asked.value));
  for (const theme of themes) {
    await useTheme(theme);
    await page.waitForTimeout(300);
    await shot(page, `page-${name}-${theme}`);
    expect(await axeViolations(page), theme).toEqual([]);
  }
  expect(await violations()).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await page.close();
});

test.each(pages)("the page %s fits a panel of 300 pixels", async (name) => {
  const { page, say } = await openPage({ ...wide, width: 300 });
  await say(initWith({ ...everything, page: name }));
  await page.locator("h1:visible").first().waitFor();
  await page.waitForTimeout(300);
  await shot(page, `page-${name}-narrow`);
  const tooWide = await page.evaluate(() =>
    ["html", "ns-panels", ".region"]
      .flatMap((selector) => [...document.querySelectorAll(selector)])
      .filter((it) => it.scrollWidth > it.clientWidth + 1)
      .map((it) => `${it.tagName}.${it.className}: ${it.scrollWidth} > ${it.clientWidth}`),
  );
  expect(tooWide).toEqual([]);
  await page.close();
});

const overflow = (page: { evaluate(it: () => number): Promise<number> }) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test("a chart is saved as a picture in vectors, in pixels, and as numbers", async () => {
  const { page, say, heard } = await openPage(wide);
  await say(initWith({ ...both, page: "compare" }));
  for (const kind of ["SVG", "PNG", "CSV", "JSON"]) {
    const figure = page.locator("figure").first();
    await figure.locator(".menu > summary").click();
    await figure.getByRole("button", { name: kind, exact: true }).click();
  }
  const saved = await eventually("four files", async () => {
    const all = (await heard()).filter((message) => message.type === "save");
    return all.length === 4 && all;
  });
  const contentOf = (ending: string): string | Uint8Array =>
    saved.find(({ name }) => name === `residual-stream-rms.${ending}`)?.content ?? "";
  const svg = String(contentOf("svg"));
  expect(svg).toMatch(/^<svg xmlns/);
  expect(await drawn(page, svg)).toEqual([720, 400]);
  expect([...contentOf("png").slice(1, 4)].map((it) => String.fromCharCode(Number(it)))).toEqual([
    "P",
    "N",
    "G",
  ]);
  expect(String(contentOf("csv")).split("\r\n")[0]).toBe("block,Pre-LN,Post-LN");
  expect(JSON.parse(String(contentOf("json"))).rows).toHaveLength(4);
  await page.close();
});

/** The size of a picture that an <img> takes. */
const drawn = (page: Page, svg: string): Promise<number[]> =>
  page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, svg);

test("a page drawn anew shows what it showed before the extension has said a word", async () => {
  const first = await openPage(wide);
  await first.say(initWith({ ...both, page: "compare" }));
  await first.page.getByRole("heading", { name: "Compare runs" }).waitFor();
  const state = await first.kept();
  const size = JSON.stringify(state).length;
  await first.page.close();
  const { page } = await openPage({ ...wide, state });
  await page.getByText("Post-LN", { exact: true }).first().waitFor();
  const paintedMs = await page.evaluate(() => performance.now());
  const [paint] = await page.evaluate(() =>
    performance.getEntriesByName("first-contentful-paint").map(({ startTime }) => startTime),
  );
  console.log(
    `first paint after ${paint?.toFixed(0)} ms, ${paintedMs.toFixed(0)} ms with the test's question; ${size} characters kept`,
  );
  expect(await page.locator("figure").count()).toBeGreaterThan(3);
  await page.close();
});

test("what is typed into the form is what is run", async () => {
  const { page, say, heard } = await openPage(wide);
  await say(initWith({ page: "configure", form: sampleForm }));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  expect((await heard()).some(({ type }) => type === "run")).toBe(false);
  await page.getByRole("textbox", { name: "d_model" }).fill("64");
  await page.getByRole("combobox", { name: "norm" }).click();
  await page.getByRole("option", { name: '"RMSNorm"' }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const asked = (await heard()).find((message) => message.type === "run");
  expect(asked).toMatchObject({
    configuration: { set: { d_model: "64", norm: '"RMSNorm"' }, seed: 0, device: "auto" },
  });
  await page.close();
});

test("the form says what a run of its content would hold", async () => {
  const { page, say, heard } = await openPage(wide);
  await say(initWith({ page: "configure", form: sampleForm }));
  await page.getByRole("textbox", { name: "d_model" }).fill("64");
  const asked = await eventually("the question", async () =>
    (await heard()).findLast((message) => message.type === "memory"),
  );
  expect(asked.configuration.set["d_model"]).toBe("64");
  const needs = { weightsBytes: 5e8, activationsBytes: 8e9, workspaceBytes: 5e8 };
  const there = { neededBytes: 9e9, freeBytes: 5e9, place: "this machine", measuredBytes: null };
  const wouldFit = "a batch of 2 in place of 4";
  await say({ type: "memory", memory: { estimate: { ...needs, ...there, wouldFit } } });
  await page.getByText(/needs some 9 GB.*5 GB free/).waitFor();
  await page.getByText(/would be refused.*a batch of 2 in place of 4/).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.close();
});

test("a tab is drawn when it is opened, by mouse and by keyboard", async () => {
  const { page, say } = await openPage(wide);
  await say(initWith({ ...both, page: "configure", form: sampleForm }));
  await page.getByRole("tab", { name: "Attention" }).click();
  await page.getByRole("heading", { name: "Attention", exact: true }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: "One value" }).waitFor();
  await page.close();
});

test("what is typed into the form for training is what is trained, with the other page's arguments", async () => {
  const { page, say, heard } = await openPage(wide);
  const running = { subject: "pre_ln.py", stage: "running", since: Date.now() };
  await say(initWith({ page: "configure", form: sampleForm, trainings: sampleTrainings }));
  await page.getByRole("textbox", { name: "d_model" }).fill("32");
  await page.getByRole("tab", { name: "Train" }).click();
  await page.getByRole("textbox", { name: "Learning rate" }).fill("fast");
  await page.getByText("The learning rate needs to be a number").waitFor();
  await page.getByRole("textbox", { name: "Learning rate" }).fill("3e-3");
  await page.getByRole("button", { name: "Start training" }).click();
  const asked = (await heard()).filter((message) => message.type === "train");
  expect(asked).toMatchObject([
    { configuration: { set: { d_model: "32" } }, choice: { lr: 0.003, task: "markov" } },
  ]);
  await page.getByRole("combobox", { name: "Optimizer" }).click();
  await page.getByRole("option", { name: "adamw" }).click();
  await page.getByRole("textbox", { name: "Betas" }).fill("0.9, 0.95");
  await page.getByRole("textbox", { name: "Weight decay" }).fill("0.1");
  await page.getByRole("textbox", { name: "Batches of one update" }).fill("2");
  await shot(page, "page-train-adamw");
  await page.getByRole("button", { name: "Open as a command", exact: true }).click();
  expect((await heard()).filter(({ type }) => type === "openCommand")).toMatchObject([
    {
      configuration: { set: { d_model: "32" } },
      choice: { optimizer: "adamw", betas: [0.9, 0.95], weightDecay: 0.1, accumulate: 2 },
    },
  ]);
  const [first, ...others] = sampleTrainings.list;
  const list = first === undefined ? [] : [{ ...first, state: "running" as const }, ...others];
  await say({ type: "progress", progress: running });
  await say({ type: "trainings", list, shown: sampleTrainings.shown });
  await page.getByRole("button", { name: "Stop after this step" }).click();
  await page.getByRole("button", { name: "post_ln.py:31" }).click();
  const said = (await heard()).map(({ type }) => type);
  expect(said).toEqual(expect.arrayContaining(["cancel", "revealTraining"]));
  await page.close();
});

test("an experiment of the claims is run by itself, or all of them", async () => {
  const { page, say, heard } = await openPage(wide);
  await say(initWith({ ...everything, page: "claims" }));
  await page.getByText("Pre-LN: exponent of depth").waitFor();
  await page.getByRole("button", { name: "Run: Who needs warm-up" }).click();
  await page.getByRole("button", { name: "Run all" }).click();
  const asked = (await heard()).flatMap((it) => (it.type === "runClaims" ? [it.names] : []));
  expect(asked.map(({ length }) => length)).toEqual([1, 5]);
  await say({ type: "claims", claims: { ...sampleClaims, running: { name: "warm-up", done: 2 } } });
  await page.getByText("running, 2 done").waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  expect((await heard()).some(({ type }) => type === "cancel")).toBe(true);
  await page.close();
});

test("a sweep has several axes, and goes on where it was stopped", async () => {
  const { page, say, heard } = await openPage(wide);
  await say(initWith({ page: "configure", form: sampleForm, trainings: sampleTrainings }));
  await page.getByRole("textbox", { name: "d_model" }).fill("32");
  await page.getByRole("tab", { name: "Sweep" }).click();
  await page.getByRole("button", { name: "Add an axis" }).click();
  const [, second] = await page.locator(".axis-row").all();
  await second?.getByRole("combobox", { name: "Over" }).click();
  await page.getByRole("option", { name: "lr", exact: true }).click();
  await page.getByText("'lr' is a setting of training: measure after training").waitFor();
  await page.getByRole("combobox", { name: "Measured" }).click();
  await page.getByRole("option", { name: "after training" }).click();
  await page.getByRole("textbox", { name: "Values of lr" }).fill("1e-3, 1e-2");
  await page.getByRole("textbox", { name: "Seeds of each setting" }).fill("2");
  await shot(page, "page-sweep-axes");
  await page.getByRole("button", { name: "Start the sweep" }).click();
  const asked = (await heard()).filter(({ type }) => type === "sweep");
  expect(asked).toMatchObject([
    { sweep: { axes: [{}, { name: "lr", values: ["1e-3", "1e-2"] }], seeds: 2, measure: "train" } },
  ]);
  const open = sampleSweep.outcomes.map((it, at) => (at < 4 ? it : { ...it, result: null }));
  await say({ type: "sweep", sweep: { ...sampleSweep, outcomes: open } });
  await page.getByRole("button", { name: "Go on with 2 runs" }).click();
  expect((await heard()).some(({ type }) => type === "continueSweep")).toBe(true);
  await page.close();
});
