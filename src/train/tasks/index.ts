/** The tasks, by name. */

import type { TaskName, TaskSpec } from "../../protocol/training.ts";
import { taskTooLarge } from "../errors.ts";
import { copy, induction, modularAddition, reverse } from "./algorithmic.ts";
import { markov } from "./markov.ts";
import type { Task, TaskSize } from "./task.ts";
import { publicText } from "./text.ts";
import { readTokens, windows } from "./tokens.ts";

export type { Batch, Task, TaskSize } from "./task.ts";

const made: Readonly<Record<Exclude<TaskName, "text">, (size: TaskSize, seed: number) => Task>> = {
  copy,
  reverse,
  induction,
  "modular-addition": modularAddition,
  markov,
};

/** `read`: the bytes of a file of the user's. Throws where the model has too few symbols. */
export function createTask(
  spec: TaskSpec,
  size: TaskSize,
  read: (file: string) => Uint8Array,
): Task {
  const task = taskOf(spec, size, read);
  if (task.vocabulary > size.vocabulary)
    throw taskTooLarge(spec.file ?? spec.name, task.vocabulary, size.vocabulary);
  return task;
}

function taskOf(spec: TaskSpec, size: TaskSize, read: (file: string) => Uint8Array): Task {
  const { name, file, seed } = spec;
  if (name === "file") {
    const path = file ?? "";
    return windows(path, readTokens(path, read(path)), size, spec);
  }
  if (name === "text") return windows(name, new TextEncoder().encode(publicText), size, spec);
  return made[name](size, seed);
}
