/** A machine without a GPU: what is said of the device, of setting one up, and of what will not fit. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeViolations } from "./harness/axe.ts";
import { clickLensOver, goTo, textsAfterLines } from "./harness/editor.ts";
import { type Session, startSession } from "./harness/session.ts";
import { shootFailures, shot } from "./harness/shots.ts";
import { eventually } from "./harness/waiting.ts";
import { webviewOf } from "./harness/webviews.ts";
import {
  notifications,
  openContainer,
  openFile,
  plain,
  pressNotificationButton,
  runCommand,
  statusItem,
} from "./harness/workbench.ts";

/** Some numbers, each as often as it takes: terabytes. */
const wide = `import torch
from torch import nn


class Wide(nn.Module):
    def __init__(self, d_model: int = 16, copies: int = 50_000_000):
        super().__init__()
        self.copies = copies
        self.fc = nn.Linear(d_model, d_model)

    def forward(self, x):
        y = self.fc(x).unsqueeze(-1)
        return torch.exp(y.expand(*y.shape[:-1], self.copies))
`;
const noDriver = /there is no NVIDIA driver \(libcuda\.so\.1 is missing\)/;

let session: Session;
let page: Page;
beforeAll(async () => {
  session = await startSession({ files: { "wide.py": wide }, width: 1500, height: 1000 });
  ({ page } = session);
});
afterAll(() => session?.close());
shootFailures(() => page);

const message = (text: RegExp): Promise<string> =>
  eventually(`a message like ${text}`, async () =>
    (await notifications(page)).find((it) => text.test(it)),
  );

test("a run says on which device, and why not on another", async () => {
  await clickLensOver(page, 84, /^\W*Run$/);
  await goTo(page, 84);
  await eventually("numbers", async () => (await textsAfterLines(page)).length > 0);
  expect(await message(/runs on cpu/)).toMatch(noDriver);
  const item = statusItem(page, /^\s*cpu\s*$/);
  await item.hover();
  await page.locator(".monaco-hover:visible", { hasText: noDriver }).first().waitFor();
  await shot(page, "devices-01-status");
  await openContainer(page, "Normscope");
  const dashboard = await webviewOf(page, "dashboard");
  await dashboard.getByText(noDriver).first().waitFor();
});

test("without a driver the set-up is refused, and the doctor says the same", async () => {
  await runCommand(page, "Normscope: Set Up CUDA…");
  const refusal = await message(/CUDA cannot be set up yet/);
  expect(refusal).toMatch(noDriver);
  await shot(page, "devices-02-refused");
  await pressNotificationButton(page, "CUDA cannot be set up yet", "Doctor");
  await page.locator(".tab.active", { hasText: "Normscope Doctor" }).waitFor();
  await eventually("the doctor's words", async () => {
    const text = await page.locator(".view-lines:visible").first().textContent();
    return noDriver.test(plain(text ?? ""));
  });
  await shot(page, "devices-03-doctor");
});

test("the form says that a run will not fit, and the run is refused", async () => {
  await openFile(page, "wide.py");
  await runCommand(page, "Normscope: Configure Run…");
  const panel = await webviewOf(page, "panel");
  await panel.getByText(/A run needs some .* TB|A run needs some [\d,. ]+ GB/).waitFor();
  await panel.getByText(/does not fit and would be refused/).waitFor();
  await shot(page, "devices-04-form");
  expect(await axeViolations(panel)).toEqual([]);
  await panel.getByRole("button", { name: "Run", exact: true }).click();
  expect(await message(/The run needs some/)).toMatch(
    /What would fit: .*%|What would fit: a batch/,
  );
  await panel
    .getByText(/The run needs some/)
    .first()
    .waitFor();
  await shot(page, "devices-05-does-not-fit");
});

test("with less of it the form says that it fits, the run is made, and the panel has its device", async () => {
  const panel = await webviewOf(page, "panel");
  await panel.getByRole("textbox", { name: "copies" }).fill("4");
  await panel.getByText(/does not fit and would be refused/).waitFor({ state: "detached" });
  await panel.getByText(/A run needs some .* MB/).waitFor();
  await panel.getByRole("button", { name: "Run", exact: true }).click();
  await panel
    .getByText(/Wide.*, cpu, /)
    .first()
    .waitFor();
  await shot(page, "devices-06-fits");
  expect(session.violations).toEqual([]);
});
