/** Runs of the bundled lab model for the claims, several at once. */
import type { Engine } from "../../client/engineClient.ts";
import type { RunRequest } from "../../protocol/engine.ts";
import type { RunReport } from "../../protocol/report.ts";
import type { TrainReport, TrainSettings } from "../../protocol/training.ts";

export interface Lab {
  /** At initialisation; reports in the order of the models. */
  init(models: readonly LabModel[]): Promise<RunReport[]>;
  train(runs: readonly LabTraining[]): Promise<TrainReport[]>;
}

export interface LabModel {
  readonly entry: "LabDecoder" | "LabEncoderDecoder";
  readonly set: Readonly<Record<string, string | number>>;
  readonly seed: number;
  readonly inputs: RunRequest["inputs"];
}

export interface LabTraining extends Omit<LabModel, "inputs"> {
  readonly training: Pick<TrainSettings, "steps" | "batch" | "seq" | "task" | "schedule">;
}

export const tokens = (name: string, batch: number, seq: number, below: number) => ({
  name,
  dtype: "int64",
  shape: [batch, seq],
  below,
});

export interface LabOptions {
  readonly modelsFolder: string;
  readonly jobs: number;
  readonly newEngine: () => Engine;
  readonly told: () => void;
}

/** `end` ends the engines. */
export function createLab(options: LabOptions): Lab & { end(): Promise<void> } {
  const { modelsFolder, jobs, newEngine, told } = options;
  const engines = Array.from({ length: jobs }, newEngine);

  async function each<T, R>(all: readonly T[], work: (engine: Engine, one: T) => Promise<R>) {
    const waiting = [...all.entries()];
    const results: R[] = [];
    const worker = async (engine: Engine): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        results[next[0]] = await work(engine, next[1]);
        told();
      }
    };
    await Promise.all(engines.map(worker));
    return results;
  }

  const requestOf = ({ entry, set, seed }: Omit<LabModel, "inputs">): RunRequest => ({
    root: modelsFolder,
    file: "lab.py",
    entry,
    set: Object.fromEntries(
      Object.entries(set).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    inputs: [],
    loss: null,
    seed,
    mode: null,
    packages: null,
    device: "cpu",
  });

  return {
    init: (models) =>
      each(models, (engine, model) => engine.run({ ...requestOf(model), inputs: model.inputs })),
    train: (runs) =>
      each(runs, (engine, run) =>
        engine.train({
          ...requestOf(run),
          mode: "train",
          training: {
            ...run.training,
            optimizer: { name: "adam" },
            clip: null,
            accumulate: 1,
            directory: null,
            saveEvery: run.training.steps,
            resume: false,
            threads: 1,
          },
        }),
      ),
    async end() {
      await Promise.all(engines.map((engine) => engine.dispose()));
    },
  };
}
