/** Which model a command means: what its argument says, else what the editor shows. */

import * as v from "valibot";
import { l10n, type TextDocument, Uri, window, workspace } from "vscode";
import { isRunnable } from "../../present/modelForm.ts";
import { runnableClass } from "../../present/pythonOutline.ts";
import { devices, modes } from "../../protocol/choices.ts";
import type { RunConfiguration } from "../../protocol/webview.ts";
import { lastConfiguration } from "../configurations.ts";
import type { Ctx } from "../context.ts";
import type { ExportWishes } from "../flows.ts";
import { isPythonFile, outlineOf } from "../outlines.ts";

const uri = v.union([v.string(), v.custom<Uri>((it) => it instanceof Uri)]);

/** Arguments of the commands that run a model, for tasks, keybindings and other extensions. */
const argument = v.object({
  /** URI of the model file; the active editor's where there is none. */
  uri: v.optional(uri),
  /** Class to construct, or null for a script. */
  entry: v.optional(v.nullable(v.string())),
  /** Constructor arguments, each as a Python literal. */
  set: v.optional(v.record(v.string(), v.string())),
  seed: v.optional(v.number()),
  mode: v.optional(v.nullable(v.picklist(modes))),
  device: v.optional(v.picklist(devices)),
  /** Paths of a checkpoint and of a file of tokens. */
  weights: v.optional(v.nullable(v.string())),
  tokens: v.optional(v.nullable(v.string())),
});

/** Arguments of the export beside these. */
const exportArgument = v.object({
  /** The file to write, as a URI. */
  output: uri,
  /** Free batch and sequence sizes. */
  dynamic: v.optional(v.boolean(), false),
  backward: v.optional(v.boolean(), false),
  statistics: v.optional(v.boolean(), false),
});

/** null: the user is to be asked. */
export function exportWishesOf(given: unknown): ExportWishes | null {
  const parsed = v.safeParse(exportArgument, given);
  if (!parsed.success) return null;
  const { output, ...parts } = parsed.output;
  return { output: toUri(output), ...parts };
}

const toUri = (it: string | Uri): Uri => (it instanceof Uri ? it : Uri.parse(it));

/** null where the user chose nothing, or there is nothing to choose from (which is told). */
export async function targetOf(ctx: Ctx, given: unknown): Promise<RunConfiguration | null> {
  // A title bar or the explorer hands over the file itself.
  const parsed = v.safeParse(argument, given instanceof Uri ? { uri: given } : (given ?? {}));
  const asked = parsed.success ? parsed.output : {};
  const document = await documentOf(asked.uri);
  if (document === null) return null;
  const uri = document.uri.toString();
  const entry = asked.entry === undefined ? await chooseEntry(document) : asked.entry;
  if (entry === undefined) return null;
  const configuration = lastConfiguration(ctx, uri, entry);
  const { set, seed, mode, device, weights, tokens } = asked;
  return {
    ...configuration,
    ...(set === undefined ? {} : { set }),
    ...(seed === undefined ? {} : { seed }),
    ...(mode === undefined ? {} : { mode }),
    ...(device === undefined ? {} : { device }),
    ...(weights === undefined ? {} : { weights }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

async function documentOf(given: string | Uri | undefined): Promise<TextDocument | null> {
  if (given !== undefined) {
    return workspace.openTextDocument(toUri(given));
  }
  const document = window.activeTextEditor?.document;
  if (document !== undefined && isPythonFile(document)) return document;
  void window.showInformationMessage(l10n.t("Open a Python file with a PyTorch model first"));
  return null;
}

/** undefined where nothing was chosen. */
async function chooseEntry(document: TextDocument): Promise<string | null | undefined> {
  const outline = outlineOf(document);
  if (outline.scriptLine !== null) return null;
  const modules = outline.classes.filter((it) => it.isModule && isRunnable(outline, it));
  const [only, ...others] = modules;
  if (only === undefined) {
    void window.showInformationMessage(
      l10n.t("This file defines no nn.Module class that could be run"),
    );
    return undefined;
  }
  if (others.length === 0) return only.name;
  const preferred = runnableClass(outline);
  const ordered = [...modules].sort(
    (a, b) => Number(b.name === preferred?.name) - Number(a.name === preferred?.name),
  );
  const chosen = await window.showQuickPick(
    ordered.map(({ name, summary, line }) => ({
      label: name,
      description: l10n.t("line {0}", line),
      detail: summary,
    })),
    { title: l10n.t("Model to Run"), placeHolder: l10n.t("A class of this file") },
  );
  return chosen?.label;
}
