/** What was set for each model, kept in the workspace. */
import { Uri } from "vscode";
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
  const { set = {}, inputs = [], loss = null, weights = null, tokens = null } = kept ?? {};
  return { ...defaults, set, inputs, loss, weights, tokens };
}

/** What is set for a model is kept; seed, mode and device belong to the settings. */
export async function keepConfiguration(ctx: Ctx, configuration: RunConfiguration): Promise<void> {
  const { uri, entry, set, inputs, loss, weights = null, tokens = null } = configuration;
  const kept = { set, inputs, loss, weights, tokens };
  await ctx.extension.workspaceState.update(keyOf(uri, entry), kept);
}
