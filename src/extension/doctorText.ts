/** What the doctor found, as plain text. */
import { l10n } from "vscode";
import { formatBytes } from "../present/number.ts";
import type { DoctorReport } from "../protocol/engine.ts";

export function doctorText({ versions, providers, memory, processors }: DoctorReport): string {
  const { freeBytes, totalBytes } = memory;
  return [
    ...Object.entries(versions).map(([name, it]) => `${name} ${it}`),
    l10n.t("{0} processors", processors),
    l10n.t("{0} of {1} memory free", formatBytes(freeBytes), formatBytes(totalBytes)),
    "",
    ...providers.map(({ name, works, reason, remedy }) => {
      const state = works ? l10n.t("works") : [reason, remedy].filter(Boolean).join(" → ");
      return `${name}: ${state}`;
    }),
    "",
  ].join("\n");
}
