/** Asks for the file that a field of a form names. */
import { l10n, type OpenDialogOptions, window, workspace } from "vscode";
import type { FileField } from "../protocol/webview.ts";

/** Its absolute path; null: none was chosen. */
export async function pickFile(field: FileField): Promise<string | null> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const options: OpenDialogOptions = {
    ...(folder === undefined ? {} : { defaultUri: folder }),
    ...questionOf(field),
  };
  const [chosen] = (await window.showOpenDialog(options)) ?? [];
  return chosen?.fsPath ?? null;
}

function questionOf(field: FileField): OpenDialogOptions {
  const anything = { [l10n.t("All Files")]: ["*"] };
  switch (field) {
    case "weights":
      return {
        title: l10n.t("Weights"),
        filters: {
          [l10n.t("Checkpoints")]: ["safetensors", "pt", "pth", "bin", "npz"],
          ...anything,
        },
      };
    case "tokens":
      return {
        title: l10n.t("Tokens"),
        filters: { [l10n.t("Texts and tokens")]: ["txt", "md", "bin", "npy"], ...anything },
      };
    case "tokenizer":
      return {
        title: l10n.t("Tokenizer"),
        filters: { "tokenizer.json": ["json"], ...anything },
      };
    case "task":
      return {
        title: l10n.t("Text to Train On"),
        filters: { [l10n.t("Texts and tokens")]: ["txt", "md", "bin"], ...anything },
      };
  }
}
