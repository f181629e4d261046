/** The words of the extension that do not belong to one view. */
import { l10n } from "vscode";
import type { Stage } from "../protocol/engine.ts";

export function stageText(stage: Stage): string {
  switch (stage) {
    case "start":
      return l10n.t("starting Python");
    case "trace":
      return l10n.t("tracing");
    case "build":
      return l10n.t("adding gradients and statistics");
    case "session":
      return l10n.t("preparing the session");
    case "run":
      return l10n.t("running");
    case "export":
      return l10n.t("exporting");
  }
}

export const findingsText = (count: number): string =>
  count === 1 ? l10n.t("1 finding") : l10n.t("{0} findings", count);
