/** Says once in a window that models run on the processor, and what is missing for more. */
import { commands, type Disposable, l10n, window } from "vscode";
import { installCommand } from "../protocol/engine.ts";
import type { Ctx } from "./context.ts";

const silencedKey = "no device notice";

export function registerDeviceNotice({ extension, runs }: Ctx): Disposable[] {
  let isTold = false;
  return [
    runs.onDidRun(({ report: { device } }) => {
      if (isTold || device.requested !== "auto" || device.passedOver.length === 0) return;
      isTold = true;
      if (extension.globalState.get<boolean>(silencedKey) === true) return;
      const reasons = device.passedOver.map(({ provider, reason }) => `${provider}: ${reason}`);
      const isSetUp = device.passedOver.every(({ remedy }) => remedy !== installCommand);
      void tell(device.provider, reasons.join("; "), isSetUp);
    }),
  ];

  async function tell(provider: string, reasons: string, isSetUp: boolean): Promise<void> {
    const doctor = "Doctor";
    const setUp = l10n.t("Set Up CUDA");
    const never = l10n.t("Don't Show Again");
    const text = l10n.t("Normscope runs on {0}: {1}", provider, reasons);
    const chosen = await window.showInformationMessage(
      text,
      ...(isSetUp ? [] : [setUp]),
      doctor,
      never,
    );
    if (chosen === setUp) await commands.executeCommand("normscope.setUpCuda");
    if (chosen === doctor) await commands.executeCommand("normscope.doctor");
    if (chosen === never) await extension.globalState.update(silencedKey, true);
  }
}
