/** Runs of training on disk: a folder each, with the engine's own state beside what is shown. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultTraining } from "../protocol/trainingPage.ts";
import type { Training } from "./trainingRecord.ts";

export interface TrainingFiles {
  /** Absolute path of the folder that the engine keeps the state of a run in. */
  folderOf(id: string): string;
  /** Newest first; those that cannot be read are left out. */
  all(): Promise<readonly Training[]>;
  keep(training: Training): Promise<void>;
  remove(id: string): Promise<void>;
}

/** A file of another version is not read. */
const version = 1;

export function openTrainingFiles(folder: string): TrainingFiles {
  const folderOf = (id: string) => join(folder, id.replaceAll(/\W/g, "_"));
  const fileOf = (id: string) => join(folderOf(id), "training.json");
  /** One after the other: two never write the same file at once. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    folderOf,
    async all() {
      const names = await readdir(folder).catch(() => []);
      const read = await Promise.all(names.map(async (name) => readTraining(fileOf(name))));
      return read.filter((it) => it !== null).toSorted((a, b) => b.at - a.at);
    },
    keep: (training) =>
      inTurn(async () => {
        const file = fileOf(training.id);
        await mkdir(folderOf(training.id), { recursive: true });
        await writeFile(`${file}.new`, JSON.stringify({ version, training }));
        await rename(`${file}.new`, file);
      }),
    remove: (id) => inTurn(() => rm(folderOf(id), { recursive: true, force: true })),
  };
}

async function readTraining(file: string): Promise<Training | null> {
  try {
    const data: { version?: unknown; training?: Training } = JSON.parse(
      await readFile(file, "utf8"),
    );
    const { training } = data;
    if (data.version !== version || training === undefined) return null;
    const { findings = [] } = training as Partial<Training>;
    return { ...training, findings, choice: { ...defaultTraining, ...training.choice } };
  } catch {
    return null;
  }
}
