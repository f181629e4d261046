/** How much of Normscope is seen: inline values, lenses, all of it. */
import { ConfigurationTarget, l10n, window, workspace } from "vscode";
import type { Commands } from "../commands.ts";
import type { Parts } from "../parts.ts";
import { type InlineMode, inlineModes, readSettings } from "../settings.ts";

export const amountCommands = ({ ctx }: Parts): Commands => ({
  /** `mode` is "off", "currentLine" or "all"; it is asked where there is none. */
  async setInlineMode(mode): Promise<void> {
    const chosen = inlineModes.find((it) => it === mode) ?? (await askInlineMode());
    if (chosen !== null) await set("inline.mode", chosen);
  },
  async cycleInlineMode(): Promise<void> {
    const now = inlineModes.indexOf(readSettings().inlineMode);
    const next = inlineModes[(now + 1) % inlineModes.length] ?? "all";
    await set("inline.mode", next);
    window.setStatusBarMessage(l10n.t("Inline values: {0}", inlineModeText(next)), 3000);
  },
  /** `amount` is "quiet", "standard" or "everything". */
  async setAmount(amount): Promise<void> {
    const chosen = amounts.find(({ id }) => id === amount) ?? (await askAmount());
    for (const [key, value] of Object.entries(chosen?.settings ?? {})) await set(key, value);
  },
  toggle: () => set("enabled", !readSettings().enabled),
  toggleLenses: () => set("lenses.enabled", !readSettings().lenses.run),
  clearNumbers: () => ctx.runs.clear(),
  /** `path` is that of a block: "blocks.3"; or the block itself, of the tree. */
  async pinLayer(path): Promise<void> {
    const given = typeof path === "object" && path !== null && "path" in path ? path.path : path;
    const blocks = ctx.runs.current?.report.blocks.map((block) => block.path) ?? [];
    const chosen = typeof given === "string" ? given : await askLayer(blocks);
    if (chosen !== undefined) ctx.numbers.pin(chosen);
  },
  unpinLayer: () => ctx.numbers.pin(null),
});

/** Where it is set already, so that the change is seen; else for the user. */
async function set(key: string, value: unknown): Promise<void> {
  const configuration = workspace.getConfiguration("normscope");
  const known = configuration.inspect(key);
  const target =
    known?.workspaceFolderValue !== undefined
      ? ConfigurationTarget.WorkspaceFolder
      : known?.workspaceValue !== undefined
        ? ConfigurationTarget.Workspace
        : ConfigurationTarget.Global;
  await configuration.update(key, value, target);
}

const inlineModeText = (mode: InlineMode): string => {
  switch (mode) {
    case "off":
      return l10n.t("on no line");
    case "currentLine":
      return l10n.t("on the cursor's line");
    case "all":
      return l10n.t("on every line");
  }
};

async function askInlineMode(): Promise<InlineMode | null> {
  const items = inlineModes.map((mode) => ({ label: inlineModeText(mode), mode }));
  const title = l10n.t("Inline Values");
  const chosen = await window.showQuickPick(items, { title });
  return chosen?.mode ?? null;
}

const amounts = [
  {
    id: "quiet",
    label: () => l10n.t("Quiet"),
    detail: () => l10n.t("Numbers on the cursor's line, the run lens alone, findings in Problems"),
    settings: {
      "inline.mode": "currentLine",
      "lenses.compare": false,
      "lenses.export": false,
      "lenses.numbers": false,
      "findings.gutter": false,
    },
  },
  {
    id: "standard",
    label: () => l10n.t("Standard"),
    detail: () => l10n.t("Numbers on every line, all lenses, findings marked"),
    settings: {
      "inline.mode": "all",
      "lenses.compare": true,
      "lenses.export": true,
      "lenses.numbers": true,
      "findings.gutter": true,
      "model.followCursor": false,
    },
  },
  {
    id: "everything",
    label: () => l10n.t("Everything"),
    detail: () => l10n.t("Also in diff editors, and the model tree follows the cursor"),
    settings: {
      "inline.mode": "all",
      "inline.diffEditors": true,
      "lenses.compare": true,
      "lenses.export": true,
      "lenses.numbers": true,
      "findings.gutter": true,
      "model.followCursor": true,
    },
  },
] as const;

async function askAmount(): Promise<(typeof amounts)[number] | undefined> {
  const items = amounts.map((amount) => ({
    label: amount.label(),
    detail: amount.detail(),
    amount,
  }));
  const chosen = await window.showQuickPick(items, { title: l10n.t("How Much to Show") });
  return chosen?.amount;
}

async function askLayer(blocks: readonly string[]): Promise<string | undefined> {
  return window.showQuickPick([...blocks], {
    title: l10n.t("Pin Layer"),
    placeHolder: l10n.t("The layer whose numbers alone are shown"),
  });
}
