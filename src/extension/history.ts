/** The runs of a workspace on disk: an index that is read first, and one file for each run. */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunHead, StoredRun } from "./storedRun.ts";

export interface History {
  /** Newest first. */
  heads(): Promise<readonly RunHead[]>;
  /** null where its file is gone or cannot be read. */
  load(id: string): Promise<StoredRun | null>;
  /** Forgets the oldest beyond `limit`. */
  add(run: StoredRun, limit: number): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}

export function openHistory(folder: string): History {
  const indexFile = join(folder, "index.json");
  const fileOf = (id: string) => join(folder, `${id.replaceAll(/\W/g, "_")}.json`);
  let index: Promise<readonly RunHead[]> | null = null;
  /** One change after the other, so that two never write the index at once. */
  let last: Promise<unknown> = Promise.resolve();

  const heads = () => {
    index ??= readHeads(indexFile);
    return index;
  };
  function change(edit: (heads: readonly RunHead[]) => readonly RunHead[]): Promise<void> {
    const next = last.then(async () => {
      const edited = edit(await heads());
      index = Promise.resolve(edited);
      await write(indexFile, { version, heads: edited });
    });
    last = next.catch(() => undefined);
    return next;
  }
  const removeFiles = (ids: readonly string[]) =>
    Promise.all(ids.map((id) => rm(fileOf(id), { force: true })));

  return {
    heads,
    async load(id) {
      const head = (await heads()).find((it) => it.id === id);
      if (head === undefined) return null;
      const stored = (await readJson(fileOf(id))) as Omit<StoredRun, "head"> | null;
      return stored === null ? null : { ...stored, head };
    },
    async add({ head, report, texts }, limit) {
      await mkdir(folder, { recursive: true });
      await write(fileOf(head.id), { report, texts });
      let forgotten: readonly RunHead[] = [];
      await change((before) => {
        const all = [head, ...before];
        forgotten = all.slice(limit);
        return all.slice(0, limit);
      });
      await removeFiles(forgotten.map(({ id }) => id));
    },
    rename: (id, name) =>
      change((before) => before.map((head) => (head.id === id ? { ...head, name } : head))),
    async remove(ids) {
      await change((before) => before.filter(({ id }) => !ids.includes(id)));
      await removeFiles(ids);
    },
  };
}

/** An index of another version is not read: its runs are forgotten, not misread. */
const version = 1;

async function readHeads(file: string): Promise<readonly RunHead[]> {
  const data = (await readJson(file)) as { version?: unknown; heads?: unknown } | null;
  return data?.version === version && Array.isArray(data.heads) ? data.heads : [];
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return null;
  }
}

/** Whole or not at all: a window that closes meanwhile leaves the old file. */
async function write(file: string, data: unknown): Promise<void> {
  const unfinished = `${file}.new`;
  await writeFile(unfinished, JSON.stringify(data));
  await rename(unfinished, file);
}
