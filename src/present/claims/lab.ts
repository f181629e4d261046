/** The bundled lab model as the claims run it: what is asked of an engine, whoever has one. */
import type { RunRequest } from "../../protocol/engine.ts";
import type { RunReport } from "../../protocol/report.ts";
import type { TrainReport, TrainRequest, TrainSettings } from "../../protocol/training.ts";

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

/** `modelsFolder`: absolute path of the models that come with Normscope. */
export const initRequest = (modelsFolder: string, model: LabModel): RunRequest => ({
  ...requestOf(modelsFolder, model),
  inputs: model.inputs,
});

export const trainRequest = (modelsFolder: string, run: LabTraining): TrainRequest => ({
  ...requestOf(modelsFolder, run),
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
});

const requestOf = (
  modelsFolder: string,
  { entry, set, seed }: Omit<LabModel, "inputs">,
): RunRequest => ({
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
