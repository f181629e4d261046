/** A sweep over one argument of a model's constructor. */
import * as v from "valibot";
import { l10n, Uri, window, workspace } from "vscode";
import { formFields } from "../../present/modelForm.ts";
import { typedValues } from "../../present/sweep/values.ts";
import type { SweepShown } from "../../protocol/sweepPage.ts";
import type { FormField, RunConfiguration } from "../../protocol/webview.ts";
import type { Commands } from "../commands.ts";
import { outlineOf } from "../outlines.ts";
import type { Parts } from "../parts.ts";
import type { SweepAxis } from "../sweeps.ts";
import { targetOf } from "./target.ts";

/** Enough for a median with a range. */
const usualSeeds = 3;

/** Beside what says which model. */
const argument = v.object({
  /** The argument, and its values as Python literals. */
  over: v.object({
    name: v.string(),
    values: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(100)),
  }),
  seeds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), usualSeeds),
});

export const sweepCommands = ({ ctx, flows }: Parts): Commands => ({
  /** Returns what was measured, or undefined where nothing was chosen or it was cancelled. */
  async sweep(given): Promise<SweepShown | undefined> {
    const configuration = await targetOf(ctx, given);
    if (configuration === null) return undefined;
    const parsed = v.safeParse(argument, given);
    const axis = parsed.success ? parsed.output.over : await askAxis(configuration);
    if (axis === null) return undefined;
    const seeds = parsed.success ? parsed.output.seeds : usualSeeds;
    return (await flows.sweep(configuration, axis, seeds)) ?? undefined;
  },
});

async function askAxis({ uri, entry }: RunConfiguration): Promise<SweepAxis | null> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const outline = outlineOf(document);
  const model = outline.classes.find(({ name }) => name === entry);
  const fields = model === undefined ? [] : formFields(outline, model);
  if (fields.length === 0) {
    const text = l10n.t("A sweep needs a class whose constructor has an argument");
    void window.showInformationMessage(text);
    return null;
  }
  const chosen = await window.showQuickPick(
    fields.map((field) => ({
      label: field.name,
      description: field.default ?? "",
      detail: field.annotation ?? "",
      field,
    })),
    {
      title: l10n.t("Sweep over an Argument"),
      placeHolder: l10n.t("An argument of {0}", entry ?? ""),
    },
  );
  return chosen === undefined ? null : askValues(chosen.field);
}

async function askValues({ name, default: preset, choices }: FormField): Promise<SweepAxis | null> {
  const typed = await window.showInputBox({
    title: l10n.t("Values of {0}", name),
    prompt: l10n.t("Python literals, parted by commas; {0} seeds each", usualSeeds),
    value: choices.length > 0 ? choices.join(", ") : usualValues(preset),
    validateInput: (text) =>
      typedValues(text).length > 1 ? null : l10n.t("Two values are needed: 2, 4, 8"),
  });
  const values = typed === undefined ? [] : typedValues(typed);
  return values.length === 0 ? null : { name, values };
}

/** Halves and doubles of a whole number: what an exponent can be read from. */
function usualValues(preset: string | null): string {
  const value = Number(preset);
  if (preset === null || !Number.isSafeInteger(value) || value < 4) return preset ?? "";
  return [value / 2, value, value * 2].map((it) => String(Math.round(it))).join(", ");
}
