/** The model tree: filter, order, and the way to the source. */
import { l10n, window } from "vscode";
import { type ModuleOrder, moduleOrders } from "../../present/moduleList.ts";
import type { Commands } from "../commands.ts";
import type { Parts } from "../parts.ts";
import { revealModule } from "../reveal.ts";

export const moduleCommands = ({ ctx, tree }: Parts): Commands => ({
  /** `filter` is part of a path or a class; it is asked where there is none. */
  async filterModules(filter): Promise<void> {
    const chosen =
      typeof filter === "string"
        ? filter
        : await window.showInputBox({
            title: l10n.t("Filter Modules"),
            prompt: l10n.t("Part of a path or of a class: attn, blocks.3, LayerNorm"),
            value: tree.filter,
          });
    if (chosen !== undefined) tree.setFilter(chosen.trim());
  },
  clearFilter: () => tree.setFilter(""),
  async sortModules(order): Promise<void> {
    const chosen = moduleOrders.find((it) => it === order) ?? (await askOrder(tree.order));
    if (chosen !== undefined) tree.setOrder(chosen);
  },
  async revealModule(module): Promise<void> {
    const path = typeof module === "string" ? module : pathOf(module);
    if (ctx.runs.current !== null && path !== null) await revealModule(ctx.runs.current, path);
  },
});

const pathOf = (module: unknown): string | null =>
  typeof module === "object" &&
  module !== null &&
  "path" in module &&
  typeof module.path === "string"
    ? module.path
    : null;

async function askOrder(now: ModuleOrder): Promise<ModuleOrder | undefined> {
  const texts: Readonly<Record<ModuleOrder, string>> = {
    source: l10n.t("As in the model"),
    severity: l10n.t("Gravest findings first"),
    forward: l10n.t("Largest activations first"),
    gradient: l10n.t("Largest gradients first"),
  };
  const items = moduleOrders.map((order) => ({
    label: texts[order],
    description: order === now ? l10n.t("now") : "",
    order,
  }));
  return (await window.showQuickPick(items, { title: l10n.t("Order of Modules") }))?.order;
}
