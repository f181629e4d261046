/** How a run ends that does not come to its end: cancelled, failed, its process killed. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clickLensOver, goTo, lenses, textAfter } from "./harness/editor.ts";
import { endless } from "./harness/models.ts";
import { isAlive } from "./harness/processes.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually, sleep } from "./harness/waiting.ts";
import {
  notifications,
  openContainer,
  openFile,
  problems,
  runCommand,
  statusItem,
} from "./harness/workbench.ts";

/** A model that does not end while the device computes. */
const heavy = `from torch import nn


class Heavy(nn.Module):
    def __init__(self, d_model: int = 2048):
        super().__init__()
        self.fc = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        for _ in range(400):
            x = self.fc(x)
        return x
`;
const mistaken = `from torch import nn


class Mistaken(nn.Module):
    def __init__(self, d_model: int = 8):
        super().__init__()
        self.fc = nn.Linear(d_model, d_model + 1)

    def forward(self, x):
        return self.fc(self.fc(x))
`;

let session: Session;
let page: Page;
beforeAll(async () => {
  const files = { "endless.py": endless, "heavy.py": heavy, "mistaken.py": mistaken };
  session = await startSession({ files, file: "endless.py" });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

const isRunning = async () => (await lenses(page)).some((text) => text.includes("Running"));

test("a trace that never ends is cancelled from the status bar within a second", async () => {
  await clickLensOver(page, 4, /^\W*Run$/);
  await eventually("the trace", isRunning);
  await sleep(1500);
  await shot(page, "endings-01-running");
  const began = Date.now();
  await statusItem(page, /Trac|Start|Read/i).click();
  await eventually("the end", async () => !(await isRunning()));
  expect(Date.now() - began).toBeLessThan(2000);
  await shot(page, "endings-02-cancelled");
  expect(await notifications(page)).toEqual([]);
});

test("nothing goes on after a cancelled trace", async () => {
  await sleep(1000);
  const before = processorTicks();
  await sleep(2000);
  expect(processorTicks() - before).toBeLessThan(60);
});

/** Hundredths of a second that the engine has computed so far. */
const processorTicks = (): number => session.engines().reduce((sum, { ticks }) => sum + ticks, 0);

test("a mistake of the model is told with its line, and stands in Problems", async () => {
  await openFile(page, "mistaken.py");
  await clickLensOver(page, 4, /^\W*Run$/);
  const [message] = await eventually("the message", async () => {
    const shown = await notifications(page);
    return shown.length > 0 && shown;
  });
  await shot(page, "endings-03-mistake");
  expect(message).toMatch(/mistaken\.py:10/);
  const rows = await problems(page);
  expect(rows.join("\n")).toMatch(/Ln 10/);
  await page.keyboard.press("ControlOrMeta+J");
  await openContainer(page, "Normscope");
});

test("an engine that is killed in the middle of a run is told, and the next run has a new one", async () => {
  await openFile(page, "heavy.py");
  await clickLensOver(page, 4, /^\W*Run$/);
  const engine = await eventually("an engine", async () => session.engines()[0]);
  await sleep(2500);
  process.kill(engine.pid, "SIGKILL");
  const text = await eventually("a message", async () =>
    (await notifications(page)).find((it) => !it.includes("mistaken")),
  );
  await shot(page, "endings-04-killed");
  expect(text).toMatch(/engine|process/i);
  await eventually("the lens as before", async () => !(await isRunning()));
  await openFile(page, "pre_ln.py");
  await clickLensOver(page, 84, /^\W*Run$/);
  await goTo(page, 84);
  await eventually("numbers", () => textAfter(page, 79));
});

test("a run on the device is cancelled within a second, and its process is gone", async () => {
  await openFile(page, "heavy.py");
  await clickLensOver(page, 4, /^\W*Run$/);
  await eventually("the run", isRunning);
  const engines = session.engines();
  await sleep(4000);
  const began = Date.now();
  await runCommand(page, "Normscope: Cancel Run");
  await eventually("the end", async () => !(await isRunning()));
  const took = Date.now() - began;
  await shot(page, "endings-05-cancelled");
  expect(took).toBeLessThan(4000);
  await eventually("the end of the process", async () => !engines.some(isAlive), 3000);
});
