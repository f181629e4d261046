/** The texts of lenses. */
import { l10n } from "vscode";
import type { ClassNote } from "../present/classNotes.ts";
import type { PlannedLens } from "./lensPlan.ts";
import { findingsText } from "./texts.ts";

export interface LensState {
  /** What is being run now, or null. */
  readonly isRunning: boolean;
  readonly note: ClassNote | null;
  /** What a first run would be of; null: the text does not tell, or it is no model of its own. */
  readonly sizes: string | null;
  readonly isStale: boolean;
}

export function lensTitle({ kind, over, entry }: PlannedLens, state: LensState): string {
  switch (kind) {
    case "run":
      if (state.isRunning) return `$(loading~spin) ${l10n.t("Running… (click to cancel)")}`;
      return `$(play) ${entry === over ? l10n.t("Run") : l10n.t("Run {0}", entry ?? "")}`;
    case "script":
      return l10n.t("Write a Script to Run It");
    case "compare":
      return l10n.t("Compare Pre-LN and Post-LN");
    case "export":
      return l10n.t("Export to ONNX");
    case "numbers":
      return numbersTitle(state);
  }
}

function numbersTitle({ note, sizes, isStale }: LensState): string {
  if (note === null) return sizes ?? l10n.t("Show in Dashboard");
  const findings = note.findings === 0 ? "" : findingsText(note.findings);
  const text = findings === "" ? note.text : `${note.text}, $(warning) ${findings}`;
  return isStale ? l10n.t("{0} (before the edit)", text) : text;
}
