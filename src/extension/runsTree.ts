/** The runs of the workspace, newest first. */
import {
  type Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  window,
} from "vscode";
import { escapeMarkdown } from "../present/markdown.ts";
import { formatMs, formatNumber } from "../present/number.ts";
import type { Ctx } from "./context.ts";
import type { RunHead } from "./storedRun.ts";
import { findingsText } from "./texts.ts";

export function registerRunsTree({ runs }: Ctx): Disposable[] {
  const changed = new EventEmitter<void>();
  const provider: TreeDataProvider<RunHead> = {
    onDidChangeTreeData: changed.event,
    async getChildren(head) {
      if (head !== undefined) return [];
      await runs.loadHeads();
      return [...runs.heads()];
    },
    getTreeItem: (head) => treeItem(head, runs.current?.head.id === head.id),
    resolveTreeItem(item, head) {
      item.tooltip = tooltip(head);
      return item;
    },
  };
  const view = window.createTreeView("normscope.runs", {
    treeDataProvider: provider,
    canSelectMany: false,
  });
  return [view, changed, runs.onDidChange(() => changed.fire())];
}

function treeItem(head: RunHead, isShown: boolean): TreeItem {
  const item = new TreeItem(head.name);
  const { facts } = head;
  item.id = head.id;
  item.description = [
    timeOf(head),
    facts.placement ?? "",
    l10n.t("loss {0}", formatNumber(facts.loss)),
  ]
    .filter((part) => part !== "")
    .join("  ");
  item.iconPath = new ThemeIcon(isShown ? "eye" : "history");
  item.contextValue = isShown ? "run shown" : "run";
  const state = isShown ? l10n.t("shown") : "";
  item.accessibilityInformation = { label: [head.name, item.description, state].join(" ") };
  item.command = {
    command: "normscope.showRun",
    title: l10n.t("Show Numbers of This Run"),
    arguments: [head],
  };
  return item;
}

/** "14:02" of today, else the day. */
export function timeOf({ at }: Pick<RunHead, "at">, now = new Date()): string {
  const date = new Date(at);
  const isToday = date.toDateString() === now.toDateString();
  const format: Intl.DateTimeFormatOptions = isToday
    ? { hour: "2-digit", minute: "2-digit" }
    : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(undefined, format).format(date);
}

function tooltip({ name, at, configuration, facts }: RunHead): MarkdownString {
  const markdown = new MarkdownString();
  const lines = [
    new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }).format(at),
    facts.file,
    ...Object.entries(configuration.set).map(([key, value]) => `${key}=${value}`),
    l10n.t("loss {0}", formatNumber(facts.loss, { digits: 4 })),
    l10n.t("seed {0}", configuration.seed),
    l10n.t("run in {0} on {1}", formatMs(facts.totalMs), facts.device),
    facts.findings === 0 ? "" : findingsText(facts.findings),
  ].filter((line) => line !== "");
  markdown.appendMarkdown(`**${escapeMarkdown(name)}**`);
  for (const line of lines) markdown.appendMarkdown(`\n- ${escapeMarkdown(line)}`);
  return markdown;
}
