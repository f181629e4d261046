/** CodeLens over classes: what can be done with them, and after a run one line of numbers. */
import {
  type CancellationToken,
  CodeLens,
  type CodeLensProvider,
  type Command,
  type Disposable,
  EventEmitter,
  languages,
  Range,
  type TextDocument,
  workspace,
} from "vscode";
import { classNote } from "../present/classNotes.ts";
import { runSizes } from "../present/runSizes.ts";
import { lastConfiguration } from "./configurations.ts";
import type { Ctx } from "./context.ts";
import { lensPlan, type PlannedLens } from "./lensPlan.ts";
import { type LensState, lensTitle } from "./lensTitle.ts";
import { counterpartsOf, isPythonFile, outlineOf } from "./outlines.ts";
import { readSettings } from "./settings.ts";
import { samePath } from "./storedRun.ts";

class NormscopeLens extends CodeLens {
  readonly document: TextDocument;
  readonly plan: PlannedLens;

  constructor(document: TextDocument, plan: PlannedLens) {
    super(new Range(plan.line - 1, 0, plan.line - 1, 0));
    this.document = document;
    this.plan = plan;
  }
}

export function registerLenses(ctx: Ctx): Disposable[] {
  const { runs, numbers } = ctx;
  const changed = new EventEmitter<void>();
  let shownRunning = runs.running;
  const provider: CodeLensProvider<NormscopeLens> = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document: TextDocument, token: CancellationToken) {
      const { enabled, lenses } = readSettings(document.uri);
      if (!enabled || !isPythonFile(document)) return [];
      const counterpartOf = await counterpartsOf(document);
      if (token.isCancellationRequested) return [];
      const plan = lensPlan(outlineOf(document), { shown: lenses, counterpartOf });
      if (plan.length > 0) void runs.loadFor(document.uri.fsPath);
      return plan.map((it) => new NormscopeLens(document, it));
    },
    resolveCodeLens(lens) {
      const { document, plan } = lens;
      const state = stateOf(document, plan);
      lens.command = { title: lensTitle(plan, state), ...actionOf(document, plan, state) };
      return lens;
    },
  };
  function stateOf(document: TextDocument, { over, entry }: PlannedLens): LensState {
    const shown = numbers.of(document);
    const running = runs.running;
    const path = document.uri.fsPath;
    const isModel = over !== null && over === entry;
    const set = () => lastConfiguration(ctx, document.uri.toString(), entry).set;
    return {
      isRunning: running !== null && running.entry === entry && samePath(running.path, path),
      note:
        shown === null || over === null ? null : classNote(shown.run.report, shown.run.file, over),
      sizes: isModel ? runSizes(outlineOf(document), over, set()) : null,
      isStale: shown?.isStale ?? false,
    };
  }
  return [
    changed,
    languages.registerCodeLensProvider({ language: "python", scheme: "file" }, provider),
    numbers.onDidChange(() => changed.fire()),
    runs.onDidProgress(() => {
      if (runs.running === shownRunning) return;
      shownRunning = runs.running;
      changed.fire();
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("normscope")) changed.fire();
    }),
  ];
}

function actionOf(
  document: TextDocument,
  { kind, entry }: PlannedLens,
  { isRunning, note, sizes }: LensState,
): Omit<Command, "title"> {
  const target = { uri: document.uri.toString(), entry };
  switch (kind) {
    case "run":
      return isRunning
        ? { command: "normscope.cancel" }
        : { command: "normscope.run", arguments: [target] };
    case "script":
      return { command: "normscope.writeScript", arguments: [target] };
    case "compare":
      return { command: "normscope.comparePlacements", arguments: [target] };
    case "export":
      return { command: "normscope.exportOnnx", arguments: [target] };
    case "numbers":
      return note === null && sizes !== null
        ? { command: "normscope.configure", arguments: [target] }
        : { command: "normscope.openDashboard" };
  }
}
