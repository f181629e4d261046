/** What the doctor found, as Markdown. */
import { l10n } from "vscode";
import { escapeMarkdown } from "../present/markdown.ts";
import { formatBytes } from "../present/number.ts";
import type { DoctorReport } from "../protocol/engine.ts";

export function doctorText({ versions, providers, memory, processors }: DoctorReport): string {
  const facts = [
    ...Object.entries(versions).map(([name, it]) => `${name} ${it}`),
    l10n.t("{0} processors", processors),
    l10n.t("{0} of {1} memory free", formatBytes(memory.freeBytes), formatBytes(memory.totalBytes)),
  ];
  return [
    `# ${l10n.t("Normscope Doctor")}`,
    "",
    ...facts.map((fact) => `- ${escapeMarkdown(fact)}`),
    "",
    `## ${l10n.t("Devices")}`,
    "",
    ...providers.map(({ name, works, reason, remedy }) => {
      const state = works ? l10n.t("works") : [reason, remedy].filter(Boolean).join(". ");
      return `- **${name}**: ${escapeMarkdown(state)}`;
    }),
    "",
  ].join("\n");
}
