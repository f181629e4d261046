/** A failure as a message: what, where, what to do, and one step further. */
import { l10n, Position, Range, Uri, window } from "vscode";
import type { Ctx } from "./context.ts";
import { isCancelled } from "./runs.ts";

/** Cancelling is no failure. One message stands at a time: a newer one tells the newer failure. */
export async function tellFailure({ runs, log }: Ctx, error: unknown): Promise<void> {
  if (isCancelled(error)) return;
  log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const failure = runs.failure;
  const fallback = error instanceof Error ? error.message : String(error);
  const { message, place, placePath, hint } = failure ?? {
    message: fallback,
    place: null,
    placePath: null,
    hint: null,
  };
  const where = place === null ? "" : ` (${place.file}:${place.line})`;
  const text = [message.split("\n")[0] + where, hint].filter((part) => part !== null).join(". ");
  const goToLine = l10n.t("Go to Line");
  const showLog = l10n.t("Show Log");
  const steps = place === null ? [showLog] : [goToLine, showLog];
  const chosen = await window.showErrorMessage(text, ...steps);
  if (chosen === showLog) log.show();
  if (chosen === goToLine && place !== null && placePath !== null) {
    const at = new Position(place.line - 1, 0);
    await window.showTextDocument(Uri.file(placePath), { selection: new Range(at, at) });
  }
}
