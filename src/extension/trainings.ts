/** Runs of training of this workspace: started, gone on with, stopped, kept. */
import { type Event, EventEmitter, Uri, workspace } from "vscode";
import { originText } from "../present/training/facts.ts";
import type { TrainEvent, TrainReport } from "../protocol/training.ts";
import type { TrainingChoice } from "../protocol/trainingPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";
import { describe } from "./runFailure.ts";
import { rootOf } from "./runRequest.ts";
import { isCancelled, type Runs } from "./runs.ts";
import type { TrainingFiles } from "./trainingFiles.ts";
import { type Training, trainSettings } from "./trainingRecord.ts";
import { editedText, openTexts, textsOf } from "./workspaceTexts.ts";

export interface Trainings {
  /** A run began, took steps or ended, or the list is another; at most twice a second. */
  readonly onDidChange: Event<void>;
  /** Newest first. */
  all(): readonly Training[];
  /** The one that takes steps now. */
  readonly active: Training | null;
  /** Reads the list, if that was not done yet. */
  load(): Promise<void>;
  /** Resolves when it has ended, however; rejects with what it failed by, or with a cancellation. */
  start(configuration: RunConfiguration, choice: TrainingChoice): Promise<Training>;
  /** From the last state that was kept; a run that was done goes on for as many steps again. */
  proceed(id: string): Promise<Training | null>;
  remove(id: string): Promise<void>;
  dispose(): void;
}

/** Charts need no more than this, and a list that changes all the time cannot be clicked. */
const tellMs = 500;
/** Older ones are removed from the disk as well. */
const keptOnDisk = 20;

export function createTrainings(files: TrainingFiles, runs: Runs): Trainings {
  const changed = new EventEmitter<void>();
  let pending: ReturnType<typeof setTimeout> | undefined;
  let list: readonly Training[] = [];
  let loading: Promise<void> | null = null;
  let activeId: string | null = null;
  let nIds = 0;

  const load = (): Promise<void> => {
    loading ??= files.all().then((read) => {
      const known = new Set(list.map(({ id }) => id));
      const kept = read.filter(({ id }) => !known.has(id)).map(asLeft);
      list = [...list, ...kept];
    });
    return loading;
  };
  const tell = () => {
    clearTimeout(pending);
    pending = undefined;
    changed.fire();
  };
  const tellSoon = () => {
    pending ??= setTimeout(tell, tellMs);
  };
  const get = (id: string) => list.find((it) => it.id === id) ?? null;
  const put = (training: Training) => {
    list = list.map((it) => (it.id === training.id ? training : it));
  };

  async function run(first: Training): Promise<Training> {
    const { id } = first;
    const update = (part: Partial<Training>): Training => {
      const next = { ...(get(id) ?? first), ...part };
      put(next);
      return next;
    };
    const finish = async (part: Partial<Training>): Promise<Training> => {
      if (activeId === id) activeId = null;
      const ended = update(part);
      tell();
      // One that was removed while it ran leaves nothing.
      if (get(id) !== null) await files.keep(ended);
      return ended;
    };
    activeId = id;
    tell();
    await files.keep(first);
    const options = {
      source: first.source,
      onEvent(event: TrainEvent) {
        update(after(get(id) ?? first, event));
        tellSoon();
      },
    };
    try {
      const settings = trainSettings(first, files.folderOf(id));
      return await finish(ending(await runs.train(first.configuration, settings, options)));
    } catch (error) {
      const { message, place } = describe(error, first.root);
      const failed = { state: "failed", message, place } as const;
      await finish(isCancelled(error) ? { state: "interrupted" } : failed);
      throw error;
    }
  }

  return {
    onDidChange: changed.event,
    all: () => list,
    get active() {
      return activeId === null ? null : get(activeId);
    },
    load,
    async start(configuration, choice) {
      const uri = Uri.parse(configuration.uri);
      const path = uri.fsPath;
      const root = rootOf(path, workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? null);
      await load();
      await editedText(path, root);
      const source = Object.values(await textsOf([path], openTexts()))[0] ?? null;
      const at = Date.now();
      const id = `${at.toString(36)}-${(nIds++).toString(36)}`;
      const begun: Training = {
        ...{ id, at, configuration, choice, root, source, total: choice.steps },
        ...{ state: "running", message: null, place: null, savedStep: 0, findings: [] },
        ...{ layers: [], blocks: [], reference: { unigram: null, floor: null }, steps: [] },
      };
      const forgotten = list.slice(keptOnDisk - 1);
      list = [begun, ...list.slice(0, keptOnDisk - 1)];
      for (const old of forgotten) await files.remove(old.id);
      return run(begun);
    },
    async proceed(id) {
      await load();
      const last = get(id);
      if (last === null || last.savedStep === 0 || activeId === id) return null;
      const total = last.state === "done" ? last.total + last.choice.steps : last.total;
      const next: Training = {
        ...last,
        total,
        state: "running",
        message: null,
        place: null,
        findings: [],
      };
      put(next);
      return run(next);
    },
    async remove(id) {
      if (activeId === id) runs.cancel();
      list = list.filter((it) => it.id !== id);
      changed.fire();
      await files.remove(id);
    },
    dispose() {
      clearTimeout(pending);
      changed.dispose();
    },
  };
}

/** A run whose window was closed: what was kept of it last. */
const asLeft = (training: Training): Training =>
  training.state === "running" ? { ...training, state: "interrupted" } : training;

/** What a run is once the engine has told this of it. */
function after(training: Training, event: TrainEvent): Partial<Training> {
  switch (event.kind) {
    case "begin": {
      const { layers, blocks, reference, firstStep } = event;
      // Steps that were taken after the last saved state are taken again.
      const steps = training.steps.filter(({ step }) => step < firstStep);
      return { layers, blocks, reference, steps };
    }
    case "steps":
      return { steps: [...training.steps, ...event.steps] };
    case "saved":
      return { savedStep: event.step };
  }
}

function ending({
  end,
  steps,
  layers,
  blocks,
  reference,
  findings,
}: TrainReport): Partial<Training> {
  const { origin } = end;
  const place =
    origin?.file == null || origin.line === null ? null : { file: origin.file, line: origin.line };
  const message = end.reason === "not-finite" ? originText(origin) : null;
  return { state: end.reason, message, place, steps, layers, blocks, reference, findings };
}
