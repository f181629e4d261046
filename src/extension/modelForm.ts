/** The form for a model, made of its file. */
import { Uri, workspace } from "vscode";
import { modelFacts } from "../present/modelFacts.ts";
import { formFields } from "../present/modelForm.ts";
import { presetsOf } from "../present/presets.ts";
import type { ModelForm, RunConfiguration } from "../protocol/webview.ts";
import { lastTrainingChoice } from "./configurations.ts";
import type { Ctx } from "./context.ts";
import { counterpartOf, outlineOf } from "./outlines.ts";

export async function modelForm(ctx: Ctx, configuration: RunConfiguration): Promise<ModelForm> {
  const uri = Uri.parse(configuration.uri);
  const empty = { summary: "", fields: [], presets: [], facts: [] };
  const training = lastTrainingChoice(ctx, configuration);
  const nothing = { ...empty, configuration, training, hasCounterpart: false };
  const name = uri.path.split("/").at(-1) ?? "";
  if (!uri.path.endsWith(".py")) return { ...nothing, title: name };
  const document = await workspace.openTextDocument(uri);
  const outline = outlineOf(document);
  const model = outline.classes.find((it) => it.name === configuration.entry);
  if (model === undefined) return { ...nothing, title: name, summary: outline.summary };
  const fields = formFields(outline, model);
  return {
    title: model.name,
    summary: model.summary,
    fields,
    presets: presetsOf(document.getText(), fields),
    facts: modelFacts(document.getText()),
    configuration,
    training,
    hasCounterpart: (await counterpartOf(document, model.name)) !== null,
  };
}
