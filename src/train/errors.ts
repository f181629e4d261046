/** What can go wrong with a run of training; see src/errors.ts. */
import { NormscopeError, type Place } from "../errors.ts";

export const badSetting = (name: string, needed: string, found: number) =>
  new NormscopeError("train/setting", `The setting '${name}' needs ${needed}; got ${found}`);

/** Another batch would have been traced otherwise. */
export const dependsOnData = (place: Place) =>
  new NormscopeError(
    "train/depends-on-data",
    "Accumulated batches need one graph; this line looked at numbers that each batch changes",
    { place, hint: "Leave --accumulate out, or compute it with tensors (torch.where, masks)" },
  );

export const taskTooLarge = (task: string, needed: number, found: number) =>
  new NormscopeError(
    "train/vocabulary",
    `The task '${task}' has ${needed} symbols; the model has ${found}`,
    { hint: "Give the model as many: --set vocab_size=… (or the name of its own argument)" },
  );

export const nothingToTrain = () =>
  new NormscopeError(
    "train/no-parameters",
    "No parameter has a gradient: there is nothing to train",
  );

export const trainsFloat32 = (name: string, dtype: string) =>
  new NormscopeError("train/dtype", `Training needs float32 parameters; '${name}' is ${dtype}`);

export const cannotResume = (folder: string, reason: string) =>
  new NormscopeError("train/resume", `The run in '${folder}' cannot be continued: ${reason}`, {
    hint: "Start again in another folder, or without --resume",
  });

export const badTaskFile = (file: string, reason: string) =>
  new NormscopeError("train/task-file", `'${file}' cannot be trained on: ${reason}`);

export const taskNeedsLength = (task: string, needed: string, found: number) =>
  new NormscopeError(
    "train/length",
    `The task '${task}' needs sequences of ${needed}; got ${found}`,
    { hint: "Give another --seq" },
  );

/** A script makes its batch itself. */
export const scriptHasTask = (file: string) =>
  new NormscopeError(
    "train/script-task",
    `A task needs a class that is called with its tokens; '${file}' is a script with a batch of its own`,
    { hint: "Name the class (FILE:CLASS), or train on the script's own batch with --task none" },
  );
