/** One model over several settings, each with several seeds: at initialisation, or trained. */
import { type Event, EventEmitter, Uri } from "vscode";
import type { Engine, RequestOptions } from "../client/engineClient.ts";
import { type JobEngines, shareOut } from "../client/jobs.ts";
import { initMeasures, trainMeasures } from "../present/sweep/measures.ts";
import { requestOfRun, type SweepPlan, sweepRuns } from "../present/sweep/plan.ts";
import { choicesText, type SweepResult, type SweepRun } from "../present/sweep/results.ts";
import { openRuns, type SweepChoice, type SweepShown } from "../protocol/sweepPage.ts";
import type { TrainingChoice } from "../protocol/trainingPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";
import { describe } from "./runFailure.ts";
import { subjectOf } from "./runRequest.ts";
import { isCancelled, type Runs } from "./runs.ts";
import type { StoredSweep, SweepFiles } from "./sweepFiles.ts";
import { settingsOf } from "./trainingRecord.ts";

export interface Sweeps {
  /** A run of a sweep has ended, or another sweep is shown. */
  readonly onDidChange: Event<void>;
  /** The last one of this workspace. */
  readonly current: SweepShown | null;
  /** Reads the last one, if that was not done yet. */
  load(): Promise<void>;
  /** `training` counts where it is measured after training. Rejects with a cancellation. */
  start(
    configuration: RunConfiguration,
    choice: SweepChoice,
    training: TrainingChoice,
  ): Promise<SweepShown>;
  /** Runs of the current one that gave no numbers; null: there are none. */
  proceed(): Promise<SweepShown | null>;
  dispose(): void;
}

/** Engines beside that of the window. */
export interface MoreEngines {
  /** How many work at once, the window's among them. */
  jobs(): number;
  start(): Engine;
}

export function createSweeps(runs: Runs, files: SweepFiles, more: MoreEngines): Sweeps {
  const changed = new EventEmitter<void>();
  let stored: StoredSweep | null = null;
  let current: SweepShown | null = null;
  let loading: Promise<void> | null = null;
  const show = (sweep: SweepShown): SweepShown => {
    current = sweep;
    changed.fire();
    return sweep;
  };

  const load = (): Promise<void> => {
    loading ??= files.last().then((last) => {
      if (last === null || current !== null) return;
      stored = last.sweep;
      show(shownOf(last.sweep, last.results));
    });
    return loading;
  };

  async function work(sweep: StoredSweep, first: SweepShown): Promise<SweepShown> {
    const { id, configuration, plan } = sweep;
    let shown = show({ ...first, failures: [], isRunning: true });
    const missing = first.outcomes.flatMap(({ run, result }) => (result === null ? [run] : []));
    try {
      await runs.many(configuration, (engine, options) =>
        shareOut(missing, enginesWith(engine, more), async (run, own) => {
          const result = await measured(own, plan, run, options);
          if (typeof result === "string") {
            const text = `${choicesText(run.choices)} seed=${run.seed}: ${result}`;
            shown = show({ ...shown, failures: [...shown.failures, text] });
            return;
          }
          await files.keep(id, run.index, result);
          const outcomes = shown.outcomes.map((it) =>
            it.run.index === run.index ? { run, result } : it,
          );
          shown = show({ ...shown, outcomes });
        }),
      );
    } finally {
      shown = show({ ...shown, isRunning: false });
    }
    return shown;
  }

  return {
    onDidChange: changed.event,
    get current() {
      return current;
    },
    load,
    async start(configuration, choice, training) {
      await load();
      const request = await runs.requestFor(configuration);
      const isTrained = choice.measure === "train";
      const mode = request.mode ?? (isTrained ? "train" : null);
      const plan: SweepPlan = {
        kind: choice.measure,
        request: { ...request, mode },
        training: { ...settingsOf(training, request.root), threads: 1 },
        runs: sweepRuns(choice.axes, choice.seeds),
      };
      // What cannot be asked is told before anything is run.
      for (const run of plan.runs) requestOfRun(plan, run);
      stored = { id: Date.now().toString(36), configuration, choice, plan };
      await files.begin(stored);
      return work(stored, shownOf(stored, new Map()));
    },
    async proceed() {
      await load();
      if (stored === null || current === null || current.isRunning || openRuns(current) === 0)
        return null;
      return work(stored, current);
    },
    dispose: () => changed.dispose(),
  };
}

/** The first worker has the window's engine, which stays. */
function enginesWith(own: Engine, more: MoreEngines): JobEngines {
  let isTaken = false;
  return {
    jobs: more.jobs(),
    start() {
      if (isTaken) return more.start();
      isTaken = true;
      return own;
    },
    end: async (engine) => (engine === own ? undefined : engine.dispose()),
  };
}

function shownOf(
  { configuration: { uri, entry }, choice, plan }: StoredSweep,
  results: ReadonlyMap<number, SweepResult>,
): SweepShown {
  return {
    subject: subjectOf(Uri.parse(uri).fsPath, entry),
    axes: choice.axes.map(({ name }) => name),
    measure: choice.measure,
    outcomes: plan.runs.map((run) => ({ run, result: results.get(run.index) ?? null })),
    failures: [],
    isRunning: false,
  };
}

/** A text: what went wrong with this run alone. */
async function measured(
  engine: Engine,
  plan: SweepPlan,
  run: SweepRun,
  options: RequestOptions,
): Promise<SweepResult | string> {
  const { request, training } = requestOfRun(plan, run);
  try {
    return plan.kind === "init"
      ? initMeasures(await engine.run(request, options))
      : trainMeasures(await engine.train({ ...request, training }, options));
  } catch (error) {
    if (isCancelled(error)) throw error;
    return describe(error, request.root).message;
  }
}
