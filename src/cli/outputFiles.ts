/** Files that a command leaves behind: whole, or not at all. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { cannotWrite } from "../errors.ts";

export interface OutputFiles {
  /** Puts the content in place in one step, making the folder if it is not there. */
  write(path: string, content: string | Uint8Array): void;
  /** An empty folder beside `path`, on the same disk; `publish` moves files out of it. */
  folderFor(path: string): string;
  /** Moves a file of such a folder to where it was asked for. */
  publish(folder: string, name: string, path: string): void;
  /** Removes all that is unfinished. Safe at any moment. */
  discard(): void;
}

export function outputFiles(): OutputFiles {
  const unfinished = new Set<string>();
  /** Folders that were made for files which may never come. */
  const made = new Set<string>();

  function folderFor(path: string): string {
    return attempt(path, () => {
      const parent = dirname(path);
      const first = mkdirSync(parent, { recursive: true });
      for (const it of first === undefined ? [] : foldersBetween(parent, first)) made.add(it);
      const folder = mkdtempSync(join(parent, ".normscope-"));
      unfinished.add(folder);
      return folder;
    });
  }

  function publish(folder: string, name: string, path: string): void {
    attempt(path, () => renameSync(join(folder, name), path));
  }

  return {
    folderFor,
    publish,
    write(path, content) {
      const folder = folderFor(path);
      try {
        attempt(path, () => writeFileSync(join(folder, basename(path)), content));
        publish(folder, basename(path), path);
      } finally {
        remove(folder);
        unfinished.delete(folder);
      }
    },
    discard() {
      unfinished.forEach(remove);
      unfinished.clear();
      made.forEach(removeIfEmpty);
      made.clear();
    },
  };
}

/** Tries again where the engine, killed a moment ago, still wrote into the folder. */
const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });

/** From the deepest folder up to the outermost one. */
function foldersBetween(deepest: string, outermost: string): string[] {
  const folders = [deepest];
  for (let folder = deepest; folder !== outermost; folder = dirname(folder)) {
    folders.push(dirname(folder));
  }
  return folders;
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw cannotWrite(path, error instanceof Error ? error.message : String(error));
  }
}
