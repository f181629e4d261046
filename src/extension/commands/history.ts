/** The runs of the workspace: show, compare, rename, save, delete. */
import { l10n, window } from "vscode";
import { formatNumber } from "../../present/number.ts";
import type { Commands } from "../commands.ts";
import { openScript } from "../flows.ts";
import { save } from "../pageActions.ts";
import type { Parts } from "../parts.ts";
import { timeOf } from "../runsTree.ts";
import type { RunHead, StoredRun } from "../storedRun.ts";

export const historyCommands = ({ ctx, panel }: Parts): Commands => {
  const { runs } = ctx;
  /** The run that an argument names by its id or is, else the one that is shown. */
  const headOf = (given: unknown): RunHead | null => {
    const id = typeof given === "string" ? given : idOf(given);
    const head = runs.heads().find((it) => it.id === id);
    return head ?? runs.current?.head ?? null;
  };
  const storedOf = async (given: unknown): Promise<StoredRun | null> => {
    const head = headOf(given);
    return head === null ? null : runs.load(head.id);
  };
  return {
    async showRun(run): Promise<void> {
      const head = headOf(run);
      if (head !== null) await runs.show(head.id);
    },
    /** `ids` of two runs or more; they are asked where there are none. */
    async compareRuns(...ids): Promise<void> {
      await runs.loadHeads();
      const given = ids.filter((id) => typeof id === "string");
      const chosen = given.length > 1 ? given : await askRuns(runs.heads());
      if (chosen.length > 0) await panel.open("compare", chosen, null);
    },
    async compareWithCurrent(run): Promise<void> {
      const head = headOf(run);
      const current = runs.current?.head ?? runs.heads().find(({ id }) => id !== head?.id);
      if (head === null) return;
      const both = current === undefined || current.id === head.id ? [head] : [current, head];
      await panel.open(
        "compare",
        both.map(({ id }) => id),
        null,
      );
    },
    async renameRun(run, name): Promise<void> {
      const head = headOf(run);
      if (head === null) return;
      const chosen =
        typeof name === "string"
          ? name
          : await window.showInputBox({ title: l10n.t("Rename Run"), value: head.name });
      if (chosen !== undefined && chosen.trim() !== "") await runs.rename(head.id, chosen.trim());
    },
    async deleteRun(run): Promise<void> {
      const head = headOf(run);
      if (head !== null) await runs.remove([head.id]);
    },
    async deleteAllRuns(): Promise<void> {
      await runs.loadHeads();
      const ids = runs.heads().map(({ id }) => id);
      const confirm = l10n.t("Delete");
      const question = l10n.t("Delete all {0} runs of this workspace?", ids.length);
      const chosen = await window.showWarningMessage(question, { modal: true }, confirm);
      if (chosen === confirm) await runs.remove(ids);
    },
    async exportRun(run): Promise<void> {
      const stored = await storedOf(run);
      if (stored === null) return;
      const name = `${stored.head.name.replaceAll(/[^\w.-]+/g, "_")}.json`;
      await save(name, `${JSON.stringify(stored.report, null, 2)}\n`);
    },
    async openScript(run): Promise<void> {
      const stored = await storedOf(run);
      if (stored !== null) await openScript(stored);
    },
  };
};

const idOf = (given: unknown): string | null =>
  typeof given === "object" && given !== null && "id" in given && typeof given.id === "string"
    ? given.id
    : null;

async function askRuns(heads: readonly RunHead[]): Promise<string[]> {
  const items = heads.map((head) => ({
    label: head.name,
    description: `${timeOf(head)}  ${head.facts.placement ?? ""}`,
    detail: l10n.t("loss {0}", formatNumber(head.facts.loss)),
    id: head.id,
  }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Compare Runs"),
    placeHolder: l10n.t("Two or more"),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ id }) => id) ?? [];
}
