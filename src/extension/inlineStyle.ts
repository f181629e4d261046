/** The text of an inline value, and how it looks. */
import { l10n } from "vscode";
import type { ShownNote } from "../present/fileNumbers.ts";
import { joined } from "../present/lineNotes.ts";
import type { Settings } from "./settings.ts";

export function inlineText(
  { note, change }: ShownNote,
  isStale: boolean,
  { maxLength, sparklines, changes }: Pick<Settings, "maxLength" | "sparklines" | "changes">,
): string {
  const forward = sparklines ? joined(note.forward) : note.forward.range;
  const gradient =
    note.gradient === null ? "" : sparklines ? joined(note.gradient) : note.gradient.range;
  const parts = [
    isStale ? l10n.t("edited") : "",
    `→ ${forward}`,
    gradient === "" ? "" : `← ${gradient}`,
    note.passes > 1 ? `×${note.passes}` : "",
    note.nonFinite,
    changes && change !== "" ? `Δ ${change}` : "",
  ].filter((part) => part !== "");
  return shortened(parts.join("  "), maxLength);
}

const shortened = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
