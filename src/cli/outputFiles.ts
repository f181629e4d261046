/** Files that a command leaves behind: whole, or not at all. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { cannotWrite } from "../errors.ts";

export interface OutputFiles {
  /** Throws where `path` will not be written: told before work that takes long. */
  check(path: string): void;
  /**
   * Puts the content in place in one step, making the folder if it is not there. A link stays, and
   * what it leads to is replaced; a device or a pipe is written into.
   */
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

  function drop(folder: string): void {
    remove(folder);
    unfinished.delete(folder);
  }

  function publish(folder: string, name: string, path: string): void {
    attempt(path, () => renameSync(join(folder, name), path));
  }

  return {
    folderFor,
    publish,
    check(path) {
      const { target, kind } = attempt(path, () => destinationOf(path));
      if (kind === "folder") throw cannotWrite(path, "it is a folder");
      if (kind === "stream") return;
      drop(folderFor(target));
    },
    write(path, content) {
      const { target, kind, mode } = attempt(path, () => destinationOf(path));
      if (kind === "stream") return attempt(path, () => writeFileSync(target, content));
      const folder = folderFor(target);
      try {
        const name = basename(target);
        attempt(path, () => {
          writeFileSync(join(folder, name), content);
          if (mode !== null) chmodSync(join(folder, name), mode);
        });
        publish(folder, name, target);
      } finally {
        drop(folder);
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

interface Destination {
  readonly target: string;
  /** A stream is a device, a pipe or a socket: it cannot be replaced. */
  readonly kind: "file" | "folder" | "stream";
  /** Permissions of the file that is there; null: of none. */
  readonly mode: number | null;
}

/** Where links lead to; a link that leads nowhere is itself replaced. */
function destinationOf(path: string): Destination {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { target: path, kind: "file", mode: null };
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "stream";
  return { target: realpathSync(path), kind, mode: stats.mode & 0o777 };
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
