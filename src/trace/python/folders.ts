/** Folders that Python may read: paths within them in, entries and bytes out, nothing else. */
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join, sep } from "node:path";
import type { FolderEntry } from "./realm/outside.ts";

export interface ReadableFolder {
  /** Entries of a folder by its path from the root ("" is the root itself), null if unreadable. */
  list(path: string): readonly FolderEntry[] | null;
  /** Fills `into` from the file's start; how many bytes, −1 where the file cannot be read. */
  read(path: string, into: Uint8Array): number;
}

export function readableFolder(root: string): ReadableFolder {
  const realRoot = realpathSync(root);
  const inside = (path: string): string | null => {
    const real = realpathOrNull(join(realRoot, path));
    if (real === null) return null;
    const prefix = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
    return real === realRoot || real.startsWith(prefix) ? real : null;
  };
  return {
    list(path) {
      const real = inside(path);
      if (real === null) return null;
      return namesIn(real).flatMap((name) =>
        entryOf(name, join(real, name), inside(join(path, name))),
      );
    },
    read(path, into) {
      const real = inside(path);
      return real === null ? -1 : readStart(real, into);
    },
  };
}

function entryOf(name: string, link: string, real: string | null): FolderEntry[] {
  if (real === null) return [{ name, kind: "refused", size: 0, modified: 0 }];
  const found = statSync(link, { throwIfNoEntry: false });
  if (found === undefined) return [];
  const modified = found.mtimeMs;
  if (found.isDirectory()) return [{ name, kind: "folder", size: 0, modified }];
  return found.isFile() ? [{ name, kind: "file", size: found.size, modified }] : [];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readStart(file: string, into: Uint8Array): number {
  try {
    const descriptor = openSync(file, constants.O_RDONLY);
    try {
      return readAll(descriptor, into);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return -1;
  }
}

function readAll(descriptor: number, into: Uint8Array): number {
  let done = 0;
  while (done < into.length) {
    const count = readSync(descriptor, into, done, into.length - done, done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

function realpathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
