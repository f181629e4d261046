/** What the pages ask of the editor: run, reveal, save, open. */
import { join } from "node:path";
import { type SaveDialogOptions, Uri, window, workspace } from "vscode";
import type { SweepChoice } from "../protocol/sweepPage.ts";
import type { TrainingChoice } from "../protocol/trainingPage.ts";
import type { FromWebview, RunConfiguration } from "../protocol/webview.ts";
import type { Ctx } from "./context.ts";
import { type Flows, openScript } from "./flows.ts";
import { openCommand } from "./openCommand.ts";
import { revealLine, revealModule, revealPath } from "./reveal.ts";
import type { StoredRun } from "./storedRun.ts";

export interface PageActions {
  /** null where it was cancelled or failed, which is told. */
  run(configuration: RunConfiguration): Promise<StoredRun | null>;
  train(configuration: RunConfiguration, choice: TrainingChoice): Promise<unknown>;
  continueTraining(id: string): Promise<unknown>;
  sweep(
    configuration: RunConfiguration,
    sweep: SweepChoice,
    choice: TrainingChoice,
  ): Promise<unknown>;
  continueSweep(): Promise<unknown>;
  /** Whatever needs nothing of the page's own state. */
  other(message: FromWebview): Promise<void>;
}

export function pageActions(ctx: Ctx, flows: Flows): PageActions {
  return {
    run: flows.run,
    train: flows.train,
    continueTraining: flows.continueTraining,
    sweep: flows.sweep,
    continueSweep: flows.continueSweep,
    async other(message) {
      switch (message.type) {
        case "cancel":
          ctx.runs.cancel();
          return;
        case "comparePlacements":
          await flows.comparePlacements(message.configuration);
          return;
        case "exportModel":
          await flows.exportModel(message.configuration);
          return;
        case "open":
          await flows.openPanel(message.page, message.runIds, message.value);
          return;
        case "runClaims":
          await flows.runClaims(message.names);
          return;
        case "openCommand":
          await openCommand(message.configuration, message.choice);
          return;
        case "openTrainingCommand": {
          const training = ctx.trainings.all().find(({ id }) => id === message.id);
          if (training !== undefined)
            await openCommand(training.configuration, training.choice, training.total);
          return;
        }
        case "removeTraining":
          await ctx.trainings.remove(message.id);
          return;
        case "revealTraining":
          await revealTraining(ctx, message);
          return;
        case "reveal": {
          const placePath = ctx.runs.failure?.placePath ?? null;
          if (message.runId === "" && placePath !== null) {
            await revealPath(placePath, message.line);
            return;
          }
          const stored = await ctx.runs.load(message.runId);
          if (stored !== null) await revealLine(stored, message.file, message.line);
          return;
        }
        case "revealModule": {
          const stored = await ctx.runs.load(message.runId);
          if (stored !== null) await revealModule(stored, message.path);
          return;
        }
        case "openScript": {
          const stored = await ctx.runs.load(message.runId);
          if (stored !== null) await openScript(stored);
          return;
        }
        case "save":
          await save(message.name, message.content);
          return;
        default:
          return;
      }
    },
  };
}

/** The line that a training ended at, or of one of its findings. */
async function revealTraining(
  { trainings }: Ctx,
  place: { readonly id: string; readonly file: string; readonly line: number },
): Promise<void> {
  const training = trainings.all().find((it) => it.id === place.id);
  if (training === undefined) return;
  const { root, source, configuration } = training;
  const model = Uri.parse(configuration.uri).fsPath;
  const texts = source === null ? {} : { [model]: source };
  await revealPath(join(root, place.file), place.line, texts);
}

/** Asks where, then writes. */
export async function save(name: string, content: string | Uint8Array): Promise<Uri | null> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const options: SaveDialogOptions =
    folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, name) };
  const target = await window.showSaveDialog(options);
  if (target === undefined) return null;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  await workspace.fs.writeFile(target, bytes);
  return target;
}
