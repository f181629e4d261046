/** The status bar's item (the workspace: device, progress) and the language's (the file). */
import {
  type Disposable,
  LanguageStatusSeverity,
  l10n,
  languages,
  MarkdownString,
  StatusBarAlignment,
  ThemeColor,
  window,
  workspace,
} from "vscode";
import { escapeMarkdown } from "../present/markdown.ts";
import { formatMs, formatNumber } from "../present/number.ts";
import { deviceAndWhy, summary } from "../present/summary.ts";
import type { Ctx } from "./context.ts";
import { debounced } from "./debounced.ts";
import { isPythonFile, outlineOf } from "./outlines.ts";
import { readSettings } from "./settings.ts";
import type { StoredRun } from "./storedRun.ts";

export function registerStatusItems(ctx: Ctx): Disposable[] {
  const { runs, trainings, numbers } = ctx;
  const item = window.createStatusBarItem("normscope.status", StatusBarAlignment.Left, 10);
  item.name = "Normscope";
  const file = languages.createLanguageStatusItem("normscope.file", {
    language: "python",
    scheme: "file",
  });
  file.name = "Normscope";

  function update(): void {
    updateItem();
    updateFile();
  }

  function updateItem(): void {
    const { progress, failure, current } = runs;
    if (!readSettings().enabled || (progress ?? failure ?? current) === null) {
      item.hide();
      return;
    }
    item.backgroundColor = undefined;
    if (progress !== null) {
      item.text = `$(loading~spin) ${stepText(trainings) ?? progress.stage}`;
      item.tooltip = l10n.t("Normscope runs {0}. Click to cancel", progress.subject);
      item.command = "normscope.cancel";
    } else if (failure !== null) {
      item.text = `$(error) ${l10n.t("run failed")}`;
      item.tooltip = failure.message;
      item.command = "normscope.showLog";
      item.backgroundColor = new ThemeColor("statusBarItem.errorBackground");
    } else if (current !== null) {
      item.text = `$(pulse) ${current.report.device.provider}`;
      item.tooltip = tooltip(current);
      item.command = "normscope.openDashboard";
    }
    item.accessibilityInformation = {
      label: `Normscope: ${item.text.replaceAll(/\$\([^)]*\)\s*/g, "")}`,
      role: "button",
    };
    item.show();
  }

  function updateFile(): void {
    const document = window.activeTextEditor?.document;
    const isModelFile =
      document !== undefined &&
      isPythonFile(document) &&
      outlineOf(document).classes.some(({ isModule }) => isModule);
    const shown = isModelFile ? numbers.of(document) : null;
    file.busy = runs.running !== null;
    file.severity = LanguageStatusSeverity.Information;
    if (shown === null) {
      file.text = isModelFile ? l10n.t("not run yet") : l10n.t("no model");
      file.detail = "";
      file.command = isModelFile ? { command: "normscope.run", title: l10n.t("Run") } : undefined;
      return;
    }
    const { head, report } = shown.run.stored;
    const blocks = report.blocks.length;
    const placement = head.facts.placement;
    file.text = placement === null ? head.name : l10n.t("{0} blocks, {1}", blocks, placement);
    file.detail = shown.isStale
      ? l10n.t("edited since the run")
      : l10n.t("run in {0} on {1}", formatMs(report.timing.totalMs), report.device.provider);
    file.command = { command: "normscope.run", title: l10n.t("Run Again") };
  }

  const later = debounced(updateFile);
  return [
    item,
    later,
    file,
    numbers.onDidChange(update),
    runs.onDidProgress(update),
    trainings.onDidChange(updateItem),
    window.onDidChangeActiveTextEditor(updateFile),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document !== window.activeTextEditor?.document) return;
      later.schedule(readSettings(document.uri).delayMs);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("normscope")) update();
    }),
  ];
}

/** "step 120 of 300, loss 1.52"; null where nothing takes steps. */
function stepText({ active }: Ctx["trainings"]): string | null {
  const last = active?.steps.at(-1);
  if (active === null || last === undefined) return null;
  return l10n.t("step {0} of {1}, loss {2}", last.step, active.total, formatNumber(last.loss));
}

/** What was run, on what, and how long it took. */
function tooltip({ head, report }: StoredRun): MarkdownString {
  const markdown = new MarkdownString("", true);
  markdown.isTrusted = {
    enabledCommands: ["normscope.runAgain", "normscope.selectDevice", "normscope.doctor"],
  };
  markdown.appendMarkdown(`**${escapeMarkdown(head.name)}**\n\n`);
  markdown.appendMarkdown(`${escapeMarkdown(deviceAndWhy(report))}\n\n`);
  const facts = summary(report).filter(({ label }) => label !== "device" && label !== "model");
  for (const { label, text } of facts) {
    markdown.appendMarkdown(`- ${escapeMarkdown(l10n.t(label))}: ${escapeMarkdown(text)}\n`);
  }
  const links = [
    `[${l10n.t("Run Again")}](command:normscope.runAgain)`,
    `[${l10n.t("Choose Device")}](command:normscope.selectDevice)`,
    `[Doctor](command:normscope.doctor)`,
  ];
  markdown.appendMarkdown(`\n${links.join(" · ")}`);
  return markdown;
}
