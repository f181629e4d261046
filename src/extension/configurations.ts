/** What was set for each model, kept in the workspace. */
import { Uri } from "vscode";
import { defaultTraining, type TrainingChoice } from "../protocol/trainingPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";
import type { Ctx } from "./context.ts";
import { defaultConfiguration } from "./runRequest.ts";
import { readSettings } from "./settings.ts";

const keyOf = (uri: string, entry: string | null): string => `configuration ${uri} ${entry}`;

/** What was run last of this model, else the settings' defaults. */
export function lastConfiguration(ctx: Ctx, uri: string, entry: string | null): RunConfiguration {
  const { seed, mode, device } = readSettings(Uri.parse(uri));
  const defaults = defaultConfiguration(uri, entry, { seed, mode, device });
  const kept = ctx.extension.workspaceState.get<Partial<RunConfiguration>>(keyOf(uri, entry));
  return { ...defaults, ...(kept === undefined ? {} : keptOf({ ...defaults, ...kept })) };
}

/** What is set for a model is kept; seed, mode and device belong to the settings. */
export async function keepConfiguration(ctx: Ctx, configuration: RunConfiguration): Promise<void> {
  const { uri, entry } = configuration;
  await ctx.extension.workspaceState.update(keyOf(uri, entry), keptOf(configuration));
}

function keptOf({ set, inputs, loss, ...files }: RunConfiguration): Partial<RunConfiguration> {
  const { weights = null, strict = true, tokens = null, tokenizer = null } = files;
  return { set, inputs, loss, weights, strict, tokens, tokenizer };
}

const trainingKeyOf = (uri: string, entry: string | null): string => `training ${uri} ${entry}`;

/** What this model was trained with last; a script that was not has its own batch. */
export function lastTrainingChoice(
  ctx: Ctx,
  { uri, entry }: Pick<RunConfiguration, "uri" | "entry">,
): TrainingChoice {
  const kept = ctx.extension.workspaceState.get<Partial<TrainingChoice>>(trainingKeyOf(uri, entry));
  const task = entry === null ? { task: "none" } : {};
  return { ...defaultTraining, ...task, ...kept };
}

export async function keepTrainingChoice(
  ctx: Ctx,
  { uri, entry }: RunConfiguration,
  choice: TrainingChoice,
): Promise<void> {
  await ctx.extension.workspaceState.update(trainingKeyOf(uri, entry), choice);
}
