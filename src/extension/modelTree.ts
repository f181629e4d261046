/** The modules of the run that is shown, as a tree with their numbers. */
import {
  type Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  window,
} from "vscode";
import { escapeMarkdown } from "../present/markdown.ts";
import {
  type ListedModule,
  type ModuleList,
  type ModuleOrder,
  moduleList,
} from "../present/moduleList.ts";
import { formatCount, formatNumber } from "../present/number.ts";
import type { Ctx } from "./context.ts";
import { setContextKey } from "./contextKeys.ts";
import { readSettings } from "./settings.ts";
import { findingsText } from "./texts.ts";

export interface ModelTree {
  readonly order: ModuleOrder;
  readonly filter: string;
  setFilter(filter: string): void;
  setOrder(order: ModuleOrder): void;
  readonly parts: readonly Disposable[];
}

export function createModelTree({ runs, numbers }: Ctx): ModelTree {
  const changed = new EventEmitter<void>();
  let filter = "";
  let order: ModuleOrder = "source";
  let list: ModuleList | null = null;

  const provider: TreeDataProvider<ListedModule> = {
    onDidChangeTreeData: changed.event,
    getChildren(module) {
      if (module !== undefined) return [...module.children];
      return list === null ? [] : [list.root];
    },
    getParent: (module) => (list === null ? null : parentIn(list.root, module.path)),
    getTreeItem: (module) => treeItem(module, filter !== ""),
    resolveTreeItem(item, module) {
      item.tooltip = tooltip(module);
      return item;
    },
  };
  const view: TreeView<ListedModule> = window.createTreeView("normscope.model", {
    treeDataProvider: provider,
    showCollapseAll: true,
  });

  function refresh(): void {
    const { current, progress } = runs;
    list = current === null ? null : moduleList(current.report, filter, order);
    view.message = message(list, filter, progress?.stage ?? null);
    if (current === null) delete view.description;
    else view.description = current.head.name;
    const findings = list?.root.findings ?? 0;
    view.badge = findings === 0 ? undefined : { value: findings, tooltip: findingsText(findings) };
    changed.fire();
  }

  function followCursor(): void {
    const editor = window.activeTextEditor;
    if (editor === undefined || !view.visible || !readSettings().followCursor) return;
    const shown = numbers.of(editor.document);
    const line = shown?.notes.find((it) => it.line === editor.selection.active.line + 1);
    if (shown == null || line === undefined || list === null) return;
    const value = shown.run.report.values.findLast(
      (it) => it.file === shown.run.file && it.line === line.note.line,
    );
    const module = moduleIn(list.root, value?.module ?? "");
    if (module !== null) void view.reveal(module, { select: true, focus: false });
  }

  return {
    get filter() {
      return filter;
    },
    get order() {
      return order;
    },
    setFilter(next) {
      filter = next;
      setContextKey("isFiltered", next !== "");
      refresh();
    },
    setOrder(next) {
      order = next;
      refresh();
    },
    parts: [
      view,
      changed,
      runs.onDidChange(refresh),
      runs.onDidProgress(refresh),
      window.onDidChangeTextEditorSelection(followCursor),
    ],
  };
}

function message(list: ModuleList | null, filter: string, stage: string | null): string {
  if (stage !== null) return `${stage}…`;
  if (list === null || filter === "") return "";
  return l10n.t("{0} modules match '{1}'", list.matches, filter);
}

function treeItem(module: ListedModule, isFiltered: boolean): TreeItem {
  const label = module.path === "" ? (module.class ?? l10n.t("Model")) : module.name;
  const item = new TreeItem(label, collapsibleState(module, isFiltered));
  // Another id while filtered: the editor remembers for each id whether it was open.
  item.id = `${isFiltered ? "filtered" : "all"} ${module.path}`;
  item.description = description(module);
  item.iconPath = icon(module);
  item.contextValue = [
    module.path === "" ? "model" : "module",
    module.isBlock ? "block" : "",
    module.file === null ? "" : "source",
  ]
    .filter((part) => part !== "")
    .join(" ");
  item.accessibilityInformation = { label: `${label} ${spoken(module)}` };
  item.command = {
    command: "normscope.revealModule",
    title: l10n.t("Go to Source"),
    arguments: [module.path],
  };
  return item;
}

function collapsibleState(module: ListedModule, isFiltered: boolean): TreeItemCollapsibleState {
  if (module.children.length === 0) return TreeItemCollapsibleState.None;
  const isOpen = isFiltered || module.path === "";
  return isOpen ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
}

function description({ path, class: name, forward, gradient, findings }: ListedModule): string {
  return [
    findings === 0 ? "" : `⚠ ${findings}`,
    forward === null ? "" : `→ ${formatNumber(forward, { digits: 2 })}`,
    gradient === null ? "" : `← ${formatNumber(gradient, { digits: 2 })}`,
    path === "" ? "" : (name ?? ""),
  ]
    .filter((part) => part !== "")
    .join("  ");
}

function spoken({ class: name, forward, gradient, findings }: ListedModule): string {
  return [
    name ?? "",
    forward === null ? "" : l10n.t("forward RMS {0}", formatNumber(forward)),
    gradient === null ? "" : l10n.t("gradient RMS {0}", formatNumber(gradient)),
    findings === 0 ? "" : findingsText(findings),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function icon({ worst, isBlock, children }: ListedModule): ThemeIcon {
  if (worst === "error") return new ThemeIcon("error", new ThemeColor("normscope.errorForeground"));
  if (worst === "warning") {
    return new ThemeIcon("warning", new ThemeColor("normscope.warningForeground"));
  }
  if (isBlock) return new ThemeIcon("layers");
  return new ThemeIcon(children.length > 0 ? "symbol-namespace" : "symbol-field");
}

function tooltip(module: ListedModule): MarkdownString {
  const markdown = new MarkdownString();
  const { path, class: name, calls, parameters, forward, gradient } = module;
  markdown.appendMarkdown(`**${escapeMarkdown(path === "" ? l10n.t("Model") : path)}**`);
  if (name !== null) markdown.appendMarkdown(` · ${escapeMarkdown(name)}`);
  const facts = [
    module.structure ?? "",
    l10n.t("{0} parameters", formatCount(parameters)),
    l10n.t("called {0} times", calls),
    forward === null ? "" : l10n.t("forward RMS {0}", formatNumber(forward)),
    gradient === null ? "" : l10n.t("gradient RMS {0}", formatNumber(gradient)),
  ].filter((part) => part !== "");
  for (const fact of facts) markdown.appendMarkdown(`\n- ${escapeMarkdown(fact)}`);
  return markdown;
}

function moduleIn(module: ListedModule, path: string): ListedModule | null {
  if (module.path === path) return module;
  for (const child of module.children) {
    const found = moduleIn(child, path);
    if (found !== null) return found;
  }
  return null;
}

function parentIn(module: ListedModule, path: string): ListedModule | null {
  for (const child of module.children) {
    if (child.path === path) return module;
    const found = parentIn(child, path);
    if (found !== null) return found;
  }
  return null;
}
