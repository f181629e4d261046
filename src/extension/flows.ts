/** What a user can set going, from wherever: lens, palette, tree or page. Each tells its failure. */
import { mkdtemp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { l10n, Uri, window, workspace } from "vscode";
import { formatBytes } from "../present/number.ts";
import type { ExperimentName } from "../protocol/claimsPage.ts";
import type { SweepChoice, SweepShown } from "../protocol/sweepPage.ts";
import type { TrainingChoice } from "../protocol/trainingPage.ts";
import type { PanelPage, RunConfiguration, ValueOfRun } from "../protocol/webview.ts";
import { keepConfiguration, keepTrainingChoice } from "./configurations.ts";
import type { Ctx } from "./context.ts";
import { tellFailure } from "./failures.ts";
import { placementPair } from "./placements.ts";
import type { StoredRun } from "./storedRun.ts";
import type { Training } from "./trainingRecord.ts";

/** Where an exported file goes and what it holds beside the forward pass. */
export interface ExportWishes {
  readonly output: Uri;
  readonly dynamic: boolean;
  readonly backward: boolean;
  readonly statistics: boolean;
}

export interface Flows {
  run(configuration: RunConfiguration): Promise<StoredRun | null>;
  /** Resolves when the training has ended; null where it failed or was cancelled, which is told. */
  train(configuration: RunConfiguration, choice: TrainingChoice): Promise<Training | null>;
  continueTraining(id: string): Promise<Training | null>;
  /** null where it was cancelled, or could not begin, which is told. */
  sweep(
    configuration: RunConfiguration,
    choice: SweepChoice,
    training: TrainingChoice,
  ): Promise<SweepShown | null>;
  /** The runs of the last sweep that gave no numbers. */
  continueSweep(): Promise<SweepShown | null>;
  /** Whether all of them ended well; what did not is told. */
  runClaims(names: readonly ExperimentName[]): Promise<boolean>;
  comparePlacements(configuration: RunConfiguration): Promise<readonly StoredRun[]>;
  /** Asks for what `wishes` leaves out. null: nothing was written. */
  exportModel(configuration: RunConfiguration, wishes?: ExportWishes | null): Promise<Uri | null>;
  openPanel(page: PanelPage, runIds: readonly string[], value: ValueOfRun | null): Promise<void>;
}

export function createFlows(ctx: Ctx, openPanel: Flows["openPanel"]): Flows {
  async function run(configuration: RunConfiguration): Promise<StoredRun | null> {
    try {
      const stored = await inProgress(() => ctx.runs.run(configuration));
      await keepConfiguration(ctx, configuration);
      return stored;
    } catch (error) {
      void tellFailure(ctx, error);
      return null;
    }
  }
  async function told<Result>(work: () => Promise<Result | null>): Promise<Result | null> {
    try {
      return await inProgress(work);
    } catch (error) {
      void tellFailure(ctx, error);
      return null;
    }
  }
  return {
    run,
    openPanel,
    async train(configuration, choice) {
      await keepConfiguration(ctx, configuration);
      await keepTrainingChoice(ctx, configuration, choice);
      return told(() => ctx.trainings.start(configuration, choice));
    },
    continueTraining: (id) => told(() => ctx.trainings.proceed(id)),
    async sweep(configuration, choice, training) {
      await keepConfiguration(ctx, configuration);
      return told(() => ctx.sweeps.start(configuration, choice, training));
    },
    continueSweep: () => told(() => ctx.sweeps.proceed()),
    async runClaims(names) {
      const ended = await told(async () => {
        await ctx.claims.start(names);
        return true;
      });
      return ended === true;
    },
    async comparePlacements(configuration) {
      const pair = await placementPair(configuration);
      if (pair === null) {
        const text = l10n.t(
          "No counterpart was found: a class or a file named alike with 'pre' for 'post', or an argument such as norm_first",
        );
        void window.showInformationMessage(text);
        return [];
      }
      const made: StoredRun[] = [];
      for (const one of pair) {
        const stored = await run(one);
        if (stored === null) return made;
        made.push(stored);
      }
      await openPanel("compare", made.map(({ head }) => head.id).toReversed(), null);
      return made;
    },
    exportModel: async (configuration, given = null) => {
      const wishes = given ?? (await askForWishes(Uri.parse(configuration.uri)));
      return wishes === null ? null : exportModel(ctx, configuration, wishes);
    },
  };
}

/** Shows in the view that work goes on; the status bar has the stage, and the way to end it. */
const inProgress = <Result>(work: () => Promise<Result>): Promise<Result> =>
  Promise.resolve(window.withProgress({ location: { viewId: "normscope.model" } }, work));

async function askForWishes(source: Uri): Promise<ExportWishes | null> {
  const chosen = await window.showQuickPick(
    [
      { label: l10n.t("Free batch and sequence sizes"), id: "dynamic" },
      { label: l10n.t("With the backward pass"), id: "backward" },
      { label: l10n.t("With the statistics"), id: "statistics" },
    ],
    {
      title: l10n.t("Export to ONNX"),
      placeHolder: l10n.t("What the file holds beside the forward pass"),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  if (chosen === undefined) return null;
  const output = await window.showSaveDialog({
    defaultUri: Uri.file(source.fsPath.replace(/\.py$/, ".onnx")),
    filters: { ONNX: ["onnx"] },
  });
  if (output === undefined) return null;
  const has = (id: string) => chosen.some((it) => it.id === id);
  const [dynamic, backward, statistics] = [has("dynamic"), has("backward"), has("statistics")];
  return { output, dynamic, backward, statistics };
}

async function exportModel(
  ctx: Ctx,
  configuration: RunConfiguration,
  { output, ...parts }: ExportWishes,
): Promise<Uri | null> {
  const folder = dirname(output.fsPath);
  // Made beside the target and moved when it is whole: nothing half-written has the file's name.
  const unfinished = await mkdtemp(join(folder, ".normscope-"));
  try {
    const report = await ctx.runs.export(configuration, {
      directory: unfinished,
      name: basename(output.fsPath),
      storage: "auto",
      ...parts,
    });
    for (const { name } of report.files) await rename(join(unfinished, name), join(folder, name));
    const [file] = report.files;
    const text = l10n.t("{0} written, {1}", basename(output.fsPath), formatBytes(file?.bytes ?? 0));
    window.setStatusBarMessage(text, 8000);
    return output;
  } catch (error) {
    void tellFailure(ctx, error);
    return null;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** The script that a run was made of, as a new file: it can be kept, changed and run. */
export async function openScript({ head, report }: StoredRun): Promise<void> {
  if (report.plan === null) {
    await window.showTextDocument(Uri.file(join(head.root, report.source.file)));
    return;
  }
  const document = await workspace.openTextDocument({ language: "python", content: report.plan });
  await window.showTextDocument(document);
}
