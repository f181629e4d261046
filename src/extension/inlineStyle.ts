/** The text of an inline value. */
import { l10n } from "vscode";
import type { ShownNote } from "../present/fileNumbers.ts";
import { type Fold, joined } from "../present/lineNotes.ts";
import type { Settings } from "./settings.ts";

/** What does not fit is left out by its weight: first the bars, then the end. */
export function inlineText(
  shown: ShownNote,
  isStale: boolean,
  { maxLength, sparklines, changes }: Pick<Settings, "maxLength" | "sparklines" | "changes">,
): string {
  const text = (withBars: boolean) => written(shown, isStale, { withBars, changes });
  const full = text(sparklines);
  return shortened(full.length <= maxLength ? full : text(false), maxLength);
}

function written(
  { note, change }: ShownNote,
  isStale: boolean,
  { withBars, changes }: { readonly withBars: boolean; readonly changes: boolean },
): string {
  const numbers = (fold: Fold) => (withBars ? joined(fold) : fold.range);
  return [
    isStale ? l10n.t("edited") : "",
    `→ ${numbers(note.forward)}`,
    note.gradient === null ? "" : `← ${numbers(note.gradient)}`,
    note.passes > 1 ? `×${note.passes}` : "",
    note.nonFinite,
    changes && change !== "" ? `Δ ${change}` : "",
  ]
    .filter((part) => part !== "")
    .join("  ");
}

const shortened = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
