/** The published claims, run on the bundled lab model; what they gave is kept for the workspace. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Event, EventEmitter, Uri } from "vscode";
import type { Engine, RequestOptions } from "../client/engineClient.ts";
import { experiments, usualSeeds } from "../present/claims/experiments.ts";
import { initRequest, type Lab, trainRequest } from "../present/claims/lab.ts";
import {
  type ClaimResult,
  type ClaimsShown,
  type ExperimentName,
  noClaims,
} from "../protocol/claimsPage.ts";
import type { Num } from "../protocol/report.ts";
import { defaultConfiguration } from "./runRequest.ts";
import type { Runs } from "./runs.ts";

export interface Claims {
  /** A model of an experiment was run, or an experiment ended. */
  readonly onDidChange: Event<void>;
  readonly shown: ClaimsShown;
  /** Reads what was kept, if that was not done yet. */
  load(): Promise<void>;
  /** One experiment after the other. Rejects with a failure or a cancellation; what ended is kept. */
  start(names: readonly ExperimentName[]): Promise<void>;
  dispose(): void;
}

/** A file of another version is not read. */
const version = 1;

/** `modelsFolder` and `file` are absolute paths. */
export function createClaims(runs: Runs, modelsFolder: string, file: string): Claims {
  const changed = new EventEmitter<void>();
  let shown = noClaims;
  let loading: Promise<void> | null = null;
  const show = (part: Partial<ClaimsShown>) => {
    shown = { ...shown, ...part };
    changed.fire();
  };

  const load = (): Promise<void> => {
    loading ??= readKept(file).then((results) => {
      if (results !== null) show({ results });
    });
    return loading;
  };

  /** All models of an experiment on the one engine, in turn. */
  function labOn(engine: Engine, options: RequestOptions, name: ExperimentName): Lab {
    let done = 0;
    async function each<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
      const results: R[] = [];
      for (const one of all) {
        results.push(await work(one));
        show({ running: { name, done: ++done } });
      }
      return results;
    }
    return {
      init: (models) => each(models, (it) => engine.run(initRequest(modelsFolder, it), options)),
      train: (all) => each(all, (it) => engine.train(trainRequest(modelsFolder, it), options)),
    };
  }

  return {
    onDidChange: changed.event,
    get shown() {
      return shown;
    },
    load,
    async start(names) {
      await load();
      const uri = Uri.file(join(modelsFolder, "lab.py")).toString();
      const configuration = defaultConfiguration(uri, null, {
        ...{ seed: 0, mode: null, device: "cpu" as const },
      });
      try {
        await runs.many(configuration, async (engine, options) => {
          for (const name of names) {
            show({ running: { name, done: 0 } });
            const start = performance.now();
            const measured = await experiments[name](labOn(engine, options, name), usualSeeds);
            const seconds = (performance.now() - start) / 1000;
            const made = measured.map((claim) => kept({ ...claim, seconds }));
            show({ results: { ...shown.results, [name]: made } });
            await keep(file, shown.results);
          }
        });
      } finally {
        show({ running: null });
      }
    },
    dispose: () => changed.dispose(),
  };
}

/** JSON has no NaN. */
const kept = (claim: ClaimResult): ClaimResult => ({
  ...claim,
  numbers: claim.numbers.map((it) => ({ ...it, measured: numOf(Number(it.measured)) })),
});

const numOf = (value: number): Num => (Number.isFinite(value) ? value : "NaN");

async function keep(file: string, results: ClaimsShown["results"]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify({ version, results }));
  await rename(`${file}.new`, file);
}

async function readKept(file: string): Promise<ClaimsShown["results"] | null> {
  try {
    const data: { version?: unknown; results?: ClaimsShown["results"] } = JSON.parse(
      await readFile(file, "utf8"),
    );
    return data.version === version ? (data.results ?? null) : null;
  } catch {
    return null;
  }
}
