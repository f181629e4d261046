/** A failure as a message: what, where, what to do, and one step further. */
import { commands, l10n, Position, Range, Uri, window } from "vscode";
import { NormscopeError, notTrusted } from "../errors.ts";
import type { Ctx } from "./context.ts";
import { isCancelled } from "./runs.ts";

/** Cancelling is no failure. One message stands at a time: a newer one tells the newer failure. */
export async function tellFailure(ctx: Ctx, error: unknown): Promise<void> {
  const { runs, log } = ctx;
  if (isCancelled(error)) return;
  log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const known = error instanceof NormscopeError ? error : null;
  // Of a run it is known in which file the place is.
  const failure = runs.failure?.error === error ? runs.failure : null;
  const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
  const place = known?.place ?? null;
  const where = place === null ? "" : ` (${place.file}:${place.line})`;
  const parts = [message.split("\n")[0] + where, known?.hint ?? ""];
  const text = parts.filter((part) => part !== "").join(". ");

  const manageTrust = l10n.t("Manage Trust");
  const goToLine = l10n.t("Go to Line");
  const showLog = l10n.t("Show Log");
  const runAllTheSame = l10n.t("Run All the Same");
  const path = failure?.placePath ?? null;
  const steps = [
    ...(known?.code === notTrusted().code ? [manageTrust] : []),
    ...(known?.code === "runtime/does-not-fit" && failure !== null ? [runAllTheSame] : []),
    ...(path === null ? [] : [goToLine]),
    showLog,
  ];
  const chosen = await window.showErrorMessage(text, ...steps);
  if (chosen === manageTrust) await commands.executeCommand("workbench.trust.manage");
  if (chosen === showLog) log.show();
  if (chosen === runAllTheSame && failure !== null)
    await ctx.runs.run(failure.configuration, { isForced: true }).catch((e) => tellFailure(ctx, e));
  if (chosen === goToLine && place !== null && path !== null) {
    const at = new Position(place.line - 1, 0);
    await window.showTextDocument(Uri.file(path), { selection: new Range(at, at) });
  }
}
