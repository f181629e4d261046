/** The extension's life: it registers its parts; whatever is heavy waits until it is asked for. */
import { type ExtensionContext, Uri, window } from "vscode";
import { jobsThatFit } from "../client/jobs.ts";
import { createApi, type NormscopeApi } from "./api.ts";
import { createClaims } from "./claims.ts";
import { registerCodeActions } from "./codeActions.ts";
import { registerCommands } from "./commands.ts";
import type { Ctx } from "./context.ts";
import { registerContextKeys } from "./contextKeys.ts";
import { registerConversions } from "./convertBlock.ts";
import { registerDashboard } from "./dashboard.ts";
import { registerDeviceNotice } from "./deviceNotice.ts";
import { createDocuments } from "./documents.ts";
import { type EngineOnDemand, engineOnDemand } from "./engineOnDemand.ts";
import { createFlows } from "./flows.ts";
import { openHistory } from "./history.ts";
import { registerHovers } from "./hovers.ts";
import { registerInlayHints } from "./inlayHints.ts";
import { registerInlineValues } from "./inlineValues.ts";
import { registerLanguageModelTools } from "./languageModelTools.ts";
import { registerLenses } from "./lenses.ts";
import { createModelTree } from "./modelTree.ts";
import { createNumbers } from "./numbers.ts";
import { registerOnnxEditor } from "./onnxEditor.ts";
import { type PageActions, pageActions } from "./pageActions.ts";
import { createPanel } from "./panel.ts";
import { registerProblems } from "./problems.ts";
import { registerRunOnSave } from "./runOnSave.ts";
import { createRuns } from "./runs.ts";
import { registerRunsTree } from "./runsTree.ts";
import { registerStatusItems } from "./statusItems.ts";
import { openSweepFiles } from "./sweepFiles.ts";
import { createSweeps } from "./sweeps.ts";
import { registerTasks } from "./tasks.ts";
import { registerTesting } from "./testing.ts";
import { openTrainingFiles } from "./trainingFiles.ts";
import { createTrainings } from "./trainings.ts";

let engine: EngineOnDemand | null = null;

export function activate(extension: ExtensionContext): NormscopeApi {
  const began = performance.now();
  const log = window.createOutputChannel("Normscope", { log: true });
  const enginePath = Uri.joinPath(extension.extensionUri, "dist", "engine.mjs").fsPath;
  const started = engineOnDemand(enginePath, log);
  engine = started;
  // Without a workspace there is no storage of its own.
  const storage = extension.storageUri ?? extension.globalStorageUri;
  const history = openHistory(Uri.joinPath(storage, "runs").fsPath);
  const runs = createRuns(history, { engine: started.get, log });
  const files = openTrainingFiles(Uri.joinPath(storage, "trainings").fsPath);
  const trainings = createTrainings(files, runs);
  const sweeps = createSweeps(runs, openSweepFiles(Uri.joinPath(storage, "sweeps").fsPath), {
    jobs: jobsThatFit,
    start: started.another,
  });
  const models = Uri.joinPath(extension.extensionUri, "models").fsPath;
  const claims = createClaims(runs, models, Uri.joinPath(storage, "claims.json").fsPath);
  const numbers = createNumbers(runs);
  const { get, restart } = started;
  const shared = { extension, log, runs, trainings, sweeps, claims, numbers };
  const ctx: Ctx = { ...shared, engine: get, restartEngine: restart };

  const panel = createPanel(ctx, () => actions);
  const flows = createFlows(ctx, panel.open);
  const actions: PageActions = pageActions(ctx, flows);
  const tree = createModelTree(ctx);
  const documents = createDocuments();
  extension.subscriptions.push(
    log,
    runs,
    trainings,
    sweeps,
    claims,
    numbers,
    ...panel.parts,
    ...tree.parts,
    ...documents.parts,
    ...registerContextKeys(ctx),
    ...registerLenses(ctx),
    ...registerInlineValues(ctx),
    ...registerInlayHints(ctx),
    ...registerHovers(ctx),
    ...registerProblems(ctx),
    ...registerCodeActions(ctx),
    ...registerConversions(ctx),
    ...registerStatusItems(ctx),
    ...registerRunsTree(ctx),
    ...registerDashboard(ctx, actions),
    ...registerOnnxEditor(ctx, actions),
    ...registerRunOnSave(ctx),
    ...registerDeviceNotice(ctx),
    ...registerTasks(ctx),
    ...registerTesting(ctx),
    ...registerLanguageModelTools(ctx),
    ...registerCommands({ ctx, flows, panel, tree, documents }),
  );
  log.info(`activated in ${(performance.now() - began).toFixed(0)} ms`);
  return createApi(ctx);
}

/** The window waits for this: no process outlives it. */
export async function deactivate(): Promise<void> {
  await engine?.dispose();
  engine = null;
}
