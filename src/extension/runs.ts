/**
 * Runs models and keeps what came of it: the one place that asks the engine, and that all views look
 * at. One run at a time; a new one ends the one before it.
 */
import { type Event, EventEmitter, type LogOutputChannel, Uri, workspace } from "vscode";
import type { Engine, RequestOptions } from "../client/engineClient.ts";
import { cancelled, NormscopeError, notTrusted, type Printed, tookTooLong } from "../errors.ts";
import type { ExportReport, ExportRequest, RunRequest, Stage } from "../protocol/engine.ts";
import type { MemoryEstimate } from "../protocol/report.ts";
import type { TrainEvent, TrainReport, TrainSettings } from "../protocol/training.ts";
import type { RunConfiguration, RunProgress } from "../protocol/webview.ts";
import type { History } from "./history.ts";
import { describe, type RunFailure } from "./runFailure.ts";
import { modelRequest, rootOf, runRequest, subjectOf } from "./runRequest.ts";
import { readSettings } from "./settings.ts";
import {
  type MeasuredByRun,
  measuredBy,
  measuredFiles,
  type RunHead,
  type StoredRun,
  samePath,
  storedRun,
} from "./storedRun.ts";
import { stageText } from "./texts.ts";
import { editedText, openTexts, textsOf } from "./workspaceTexts.ts";

export interface Runs {
  /** A run was added, removed, renamed or loaded, or another one is shown. */
  readonly onDidChange: Event<void>;
  /** A run of this window has ended well. */
  readonly onDidRun: Event<StoredRun>;
  /** A run began, went on or ended. */
  readonly onDidProgress: Event<void>;
  readonly progress: RunProgress | null;
  /** What is being run now; the same object from its beginning to its end. */
  readonly running: RunTarget | null;
  /** Why the last run failed; null once another begins. */
  readonly failure: RunFailure | null;
  /** Whose numbers are shown where nothing else says so. */
  readonly current: StoredRun | null;
  /** Newest first. */
  heads(): readonly RunHead[];
  /** Reads the list of runs, if that was not done yet. */
  loadHeads(): Promise<void>;
  /** Rejects with a NormscopeError; the failure is also kept for the views. */
  run(
    configuration: RunConfiguration,
    /** Forced: even where memory will not suffice. */
    options?: { readonly isForced?: boolean },
  ): Promise<StoredRun>;
  /** What a run would hold; no run. The next one, and any run, ends it. */
  memory(configuration: RunConfiguration): Promise<MemoryEstimate>;
  export(configuration: RunConfiguration, file: ExportedFile): Promise<ExportReport>;
  /**
   * Trains a model; there is no time limit. `source` is the text of its file, null where that is
   * what lies on the disk. A failure is kept for the views.
   */
  train(
    configuration: RunConfiguration,
    training: TrainSettings,
    options: { readonly source: string | null; readonly onEvent: (event: TrainEvent) => void },
  ): Promise<TrainReport>;
  /** What the engine is asked for a model, with the text that the editor shows of it. */
  requestFor(configuration: RunConfiguration): Promise<RunRequest>;
  /** Many requests of a model as one piece of work without a time limit; nothing is kept. */
  many(
    configuration: RunConfiguration,
    ask: (engine: Engine, options: RequestOptions) => Promise<void>,
  ): Promise<void>;
  /** Training ends after a step and keeps what it has; the second time it is ended like a run. */
  cancel(): void;
  load(id: string): Promise<StoredRun | null>;
  inMemory(id: string): StoredRun | null;
  /** Shows the numbers of an earlier run. */
  show(id: string): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** The runs in memory that measured this file: the one shown first, then the newest. */
  of(path: string): readonly MeasuredByRun[];
  /** Reads what is known of this file from the history, if nothing is in memory yet. */
  loadFor(path: string): Promise<void>;
  /** Shows no numbers until the next run. */
  clear(): void;
  readonly isCleared: boolean;
  dispose(): void;
}

export interface RunTarget {
  /** Absolute path of the model file. */
  readonly path: string;
  readonly entry: string | null;
}

export type ExportedFile = Pick<
  ExportRequest,
  "directory" | "name" | "storage" | "dynamic" | "backward" | "statistics"
>;

/** Runs in memory; older ones are read again when they are looked at. */
const keptInMemory = 12;

export interface RunsOptions {
  /** Started by the first call. */
  engine(): Engine;
  readonly log: LogOutputChannel;
}

export function createRuns(history: History, { engine, log }: RunsOptions): Runs {
  const changed = new EventEmitter<void>();
  const progressed = new EventEmitter<void>();
  const ran = new EventEmitter<StoredRun>();
  let heads: readonly RunHead[] = [];
  let memory: readonly StoredRun[] = [];
  let current: StoredRun | null = null;
  let progress: RunProgress | null = null;
  let running: RunTarget | null = null;
  let failure: RunFailure | null = null;
  let abort: AbortController | null = null;
  /** Ends the training that takes steps, after one of them. */
  let softly: AbortController | null = null;
  /** Ends the estimate that is being made. */
  let estimating: AbortController | null = null;
  let isCleared = false;
  let nRequests = 0;

  const refresh = async () => {
    heads = await history.heads();
    changed.fire();
  };
  const remember = (run: StoredRun) => {
    memory = [run, ...memory.filter(({ head }) => head.id !== run.head.id)].slice(0, keptInMemory);
  };
  const tell = (next: RunProgress | null) => {
    progress = next;
    progressed.fire();
  };

  const end = () => {
    if (softly !== null && !softly.signal.aborted) softly.abort();
    else abort?.abort();
  };

  /** Does one thing on the engine, with progress, a time limit and a way to end it. */
  async function work<Answer>(
    configuration: RunConfiguration,
    path: string,
    ask: (options: { signal: AbortSignal; onStage: (stage: Stage) => void }) => Promise<Answer>,
    { isLimited = true } = {},
  ): Promise<Answer> {
    if (!workspace.isTrusted) throw notTrusted();
    end();
    estimating?.abort();
    softly = null;
    const own = new AbortController();
    abort = own;
    failure = null;
    const { timeLimitMs } = readSettings(Uri.parse(configuration.uri));
    let isLate = false;
    const timer =
      timeLimitMs === null || !isLimited
        ? undefined
        : setTimeout(() => {
            isLate = true;
            own.abort();
          }, timeLimitMs);
    const subject = subjectOf(path, configuration.entry);
    const since = Date.now();
    const number = ++nRequests;
    log.info(`run ${number}: ${subject} on ${configuration.device}`);
    running = { path, entry: configuration.entry };
    const onStage = (stage: Stage) => {
      log.debug(`run ${number}: ${stage}`);
      if (abort === own) tell({ subject, stage: stageText(stage), since });
    };
    onStage("start");
    try {
      const answer = await ask({ signal: own.signal, onStage });
      log.info(`run ${number}: done in ${Date.now() - since} ms`);
      return answer;
    } catch (error) {
      log.info(`run ${number}: ended, ${error instanceof NormscopeError ? error.code : error}`);
      throw isLate ? tookTooLong((timeLimitMs ?? 0) / 1000) : error;
    } finally {
      clearTimeout(timer);
      if (abort === own) {
        abort = null;
        softly = null;
        running = null;
        tell(null);
      }
    }
  }

  async function run(
    configuration: RunConfiguration,
    { isForced = false } = {},
  ): Promise<StoredRun> {
    if (!workspace.isTrusted) throw notTrusted();
    const { path, root, packages, limits, historyLimit } = placeOf(configuration);
    try {
      const { report, texts } = await work(configuration, path, async (options) => {
        const source = await editedText(path, root);
        const texts = openTexts();
        const request = runRequest(configuration, { path, root, packages, source });
        const forced = isForced ? { force: true } : {};
        return { report: await engine().run({ ...request, limits, ...forced }, options), texts };
      });
      logPrinted(report.printed ?? []);
      const measured = new Set([...measuredFiles(report, root), path]);
      const at = Date.now();
      const what = { id: newId(at), at, configuration, root };
      const stored = storedRun(report, what, await textsOf([...measured], texts));
      remember(stored);
      current = stored;
      isCleared = false;
      changed.fire();
      ran.fire(stored);
      await history.add(stored, historyLimit);
      await refresh();
      return stored;
    } catch (error) {
      if (error instanceof NormscopeError) logPrinted(error.printed);
      keepFailure(error, configuration, root);
      throw error;
    }
  }

  function logPrinted(printed: readonly Printed[]): void {
    for (const { file, line, text } of printed) {
      const place = file === null ? "" : `${file}:${line}: `;
      log.info(`${place}${text.replace(/\n$/, "")}`);
    }
  }

  function keepFailure(error: unknown, configuration: RunConfiguration, root: string): void {
    if (isCancelled(error)) return;
    const path = Uri.parse(configuration.uri).fsPath;
    const subject = subjectOf(path, configuration.entry);
    failure = { ...describe(error, root), error, subject, path, configuration };
    progressed.fire();
  }

  return {
    onDidChange: changed.event,
    onDidRun: ran.event,
    onDidProgress: progressed.event,
    get progress() {
      return progress;
    },
    get running() {
      return running;
    },
    get failure() {
      return failure;
    },
    get current() {
      return current;
    },
    heads: () => heads,
    async loadHeads() {
      if (heads.length === 0) heads = await history.heads();
    },
    run,
    async memory(configuration) {
      if (!workspace.isTrusted) throw notTrusted();
      estimating?.abort();
      const own = new AbortController();
      estimating = own;
      const { path, root, packages, timeLimitMs } = placeOf(configuration);
      const timer = timeLimitMs === null ? undefined : setTimeout(() => own.abort(), timeLimitMs);
      try {
        const source = await editedText(path, root);
        const request = runRequest(configuration, { path, root, packages, source });
        return await engine().memory(request, { signal: own.signal });
      } finally {
        clearTimeout(timer);
      }
    },
    async export(configuration, file) {
      const { path, root, packages } = placeOf(configuration);
      return work(configuration, path, async (options) => {
        const source = await editedText(path, root);
        const request = modelRequest(configuration, { path, root, packages, source });
        return engine().export({ ...request, ...file }, options);
      });
    },
    async train(configuration, training, { source, onEvent }) {
      const { path, root, packages } = placeOf(configuration);
      const place = { path, root, packages, source };
      const request = runRequest({ ...configuration, mode: configuration.mode ?? "train" }, place);
      const stop = new AbortController();
      const ask = (options: RequestOptions) =>
        engine().train(
          { ...request, training },
          {
            ...options,
            stop: stop.signal,
            onEvent(event) {
              if (event.kind === "begin" && !options.signal?.aborted) softly ??= stop;
              onEvent(event);
            },
          },
        );
      try {
        return await work(configuration, path, ask, { isLimited: false });
      } catch (error) {
        keepFailure(error, configuration, root);
        throw error;
      }
    },
    async requestFor(configuration) {
      const { path, root, packages } = placeOf(configuration);
      await editedText(path, root);
      const source = Object.values(await textsOf([path], openTexts()))[0] ?? null;
      return runRequest(configuration, { path, root, packages, source });
    },
    async many(configuration, ask) {
      const { path } = placeOf(configuration);
      await work(configuration, path, (options) => ask(engine(), options), { isLimited: false });
    },
    cancel: end,
    async load(id) {
      const known = memory.find(({ head }) => head.id === id);
      if (known !== undefined) return known;
      const loaded = await history.load(id);
      if (loaded !== null) remember(loaded);
      return loaded;
    },
    inMemory: (id) => memory.find(({ head }) => head.id === id) ?? null,
    async show(id) {
      const loaded = memory.find(({ head }) => head.id === id) ?? (await history.load(id));
      if (loaded === null) return;
      remember(loaded);
      current = loaded;
      isCleared = false;
      changed.fire();
    },
    async rename(id, name) {
      await history.rename(id, name);
      memory = memory.map((it) => (it.head.id === id ? { ...it, head: { ...it.head, name } } : it));
      await refresh();
    },
    async remove(ids) {
      memory = memory.filter(({ head }) => !ids.includes(head.id));
      if (current !== null && ids.includes(current.head.id)) current = null;
      await history.remove(ids);
      await refresh();
    },
    of: (path) => (isCleared ? [] : measuredBy(memory, path)),
    async loadFor(path) {
      if (isCleared) return;
      if (heads.length === 0) heads = await history.heads();
      const known = heads.filter(({ files }) => files.some((file) => samePath(file, path)));
      const missing = known
        .slice(0, 2)
        .filter(({ id }) => !memory.some(({ head }) => head.id === id));
      if (missing.length === 0) return;
      const loaded = await Promise.all(missing.map(({ id }) => history.load(id)));
      // Oldest first, so that the newest stands first in memory.
      for (const stored of loaded.toReversed()) if (stored !== null) remember(stored);
      current ??= memory[0] ?? null;
      changed.fire();
    },
    get isCleared() {
      return isCleared;
    },
    clear() {
      isCleared = true;
      current = null;
      changed.fire();
    },
    dispose() {
      abort?.abort();
      estimating?.abort();
      changed.dispose();
      progressed.dispose();
      ran.dispose();
    },
  };
}

/** Where a model lies, and what is set for it. */
function placeOf(configuration: RunConfiguration) {
  const uri = Uri.parse(configuration.uri);
  const path = uri.fsPath;
  const root = rootOf(path, workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? null);
  return { path, root, ...readSettings(uri) };
}

export const isCancelled = (error: unknown): boolean =>
  error instanceof NormscopeError && error.code === cancelled().code;

/** Sortable, and never twice in one window. */
let nIds = 0;
const newId = (at: number): string => `${at.toString(36)}-${(nIds++).toString(36)}`;
