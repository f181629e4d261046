/** The whole extension in the fake editor, on an engine that answers at once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtensionContext } from "vscode";
import type { Engine, RequestOptions, TrainOptions } from "../../src/client/engineClient.ts";
import { createClaims } from "../../src/extension/claims.ts";
import { registerCodeActions } from "../../src/extension/codeActions.ts";
import { registerCommands } from "../../src/extension/commands.ts";
import type { Ctx } from "../../src/extension/context.ts";
import { registerContextKeys } from "../../src/extension/contextKeys.ts";
import { createDocuments } from "../../src/extension/documents.ts";
import { createFlows } from "../../src/extension/flows.ts";
import { openHistory } from "../../src/extension/history.ts";
import { registerHovers } from "../../src/extension/hovers.ts";
import { registerInlayHints } from "../../src/extension/inlayHints.ts";
import { registerInlineValues } from "../../src/extension/inlineValues.ts";
import { registerLenses } from "../../src/extension/lenses.ts";
import { createModelTree } from "../../src/extension/modelTree.ts";
import { createNumbers } from "../../src/extension/numbers.ts";
import type { Panel } from "../../src/extension/panel.ts";
import { registerProblems } from "../../src/extension/problems.ts";
import { registerRunOnSave } from "../../src/extension/runOnSave.ts";
import { createRuns } from "../../src/extension/runs.ts";
import { registerRunsTree } from "../../src/extension/runsTree.ts";
import { registerStatusItems } from "../../src/extension/statusItems.ts";
import { openSweepFiles } from "../../src/extension/sweepFiles.ts";
import { createSweeps } from "../../src/extension/sweeps.ts";
import { registerTesting } from "../../src/extension/testing.ts";
import { openTrainingFiles } from "../../src/extension/trainingFiles.ts";
import { createTrainings } from "../../src/extension/trainings.ts";
import type { DoctorReport, RunRequest } from "../../src/protocol/engine.ts";
import type { RunReport } from "../../src/protocol/report.ts";
import type { TrainReport, TrainRequest } from "../../src/protocol/training.ts";
import { preReport } from "../fixtures/reports.ts";
import { fake, Uri } from "./fake/vscode.ts";

export const modelPath = "/models/pre.py";

const doctorReport: DoctorReport = {
  versions: { normscope: "1.2.3", node: "20", onnxruntime: "1.30.0", pyodide: "314" },
  providers: [],
  memory: { totalBytes: 8e9, freeBytes: 4e9 },
  processors: 2,
};

export interface FakeEditor {
  readonly ctx: Ctx;
  readonly document: ReturnType<typeof fake.open>["document"];
  readonly editor: ReturnType<typeof fake.open>["editor"];
  /** How the engine answers the next requests. */
  readonly engine: {
    answer: (options: RequestOptions) => Promise<RunReport>;
    requests: number;
    /** What was asked last. */
    last: RunRequest | null;
    train: (request: TrainRequest, options: TrainOptions) => Promise<TrainReport>;
    /** That work at once on a sweep. */
    jobs: number;
    /** That were started beside the first, and those of them that were ended. */
    started: number;
    ended: number;
  };
  /** What a window shows that is opened on the same workspace. */
  anotherWindow(): Pick<Ctx, "sweeps" | "claims">;
  /** Pages of the panel that were opened. */
  readonly opened: string[];
  run(): Promise<unknown>;
  dispose(): void;
}

export function startEditor(source: string): FakeEditor {
  fake.reset();
  const folder = mkdtempSync(join(tmpdir(), "normscope-editor-"));
  const engine: FakeEditor["engine"] = {
    answer: async () => preReport(),
    requests: 0,
    last: null,
    train: async () => {
      throw new Error("No test has said how to train");
    },
    jobs: 1,
    started: 0,
    ended: 0,
  };
  const client = {
    train: (request, options = {}) => engine.train(request, options),
    run: (request, options = {}) => {
      engine.requests++;
      engine.last = request;
      return engine.answer(options);
    },
    doctor: async () => doctorReport,
  } as Partial<Engine> as Engine;
  const quiet = () => undefined;
  const log = { info: quiet, debug: quiet, error: quiet, warn: quiet, show: quiet };
  const kept = new Map<string, unknown>();
  const memento = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => kept.set(key, value),
  };
  const extension = {
    extensionUri: Uri.file("/extension"),
    extensionPath: "/extension",
    subscriptions: [],
    extension: { id: "normscope.normscope", packageJSON: { version: "1.2.3" } },
    workspaceState: memento,
    globalState: memento,
  } as unknown as ExtensionContext;
  const logChannel = log as unknown as Ctx["log"];
  const runs = createRuns(openHistory(folder), { engine: () => client, log: logChannel });
  const numbers = createNumbers(runs);
  const trainings = createTrainings(openTrainingFiles(join(folder, "trainings")), runs);
  const another = (): Engine => {
    engine.started++;
    const dispose = async () => void engine.ended++;
    return { ...client, dispose };
  };
  const window = () => ({
    sweeps: createSweeps(runs, openSweepFiles(join(folder, "sweeps")), {
      jobs: () => engine.jobs,
      start: another,
    }),
    claims: createClaims(runs, "/extension/models", join(folder, "claims.json")),
  });
  const { sweeps, claims } = window();
  const engineOf = { engine: () => client, restartEngine: async () => undefined };
  const ctx: Ctx = {
    extension,
    log: logChannel,
    runs,
    trainings,
    sweeps,
    claims,
    numbers,
    ...engineOf,
  };
  const opened: string[] = [];
  const panel: Panel = {
    open: async (page) => void opened.push(page),
    configure: async (_, page = "configure") => void opened.push(page),
    parts: [],
  };
  const { document, editor } = fake.open(Uri.file(modelPath), source);
  const tree = createModelTree(ctx);
  const flows = createFlows(ctx, panel.open);
  const parts = [
    ...registerContextKeys(ctx),
    ...registerLenses(ctx),
    ...registerInlineValues(ctx),
    ...registerInlayHints(ctx),
    ...registerHovers(ctx),
    ...registerProblems(ctx),
    ...registerCodeActions(ctx),
    ...registerStatusItems(ctx),
    ...registerRunsTree(ctx),
    ...registerRunOnSave(ctx),
    ...registerTesting(ctx),
    ...tree.parts,
    ...registerCommands({ ctx, flows, panel, tree, documents: createDocuments() }),
  ];
  return {
    ctx,
    document,
    editor,
    engine,
    opened,
    anotherWindow: window,
    run: () =>
      Promise.resolve(
        fake.commands.get("normscope.run")?.({
          uri: document.uri.toString(),
          entry: "PreLNTransformer",
        }),
      ),
    dispose() {
      for (const part of parts) part.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
