/** Files read by slices: what a checkpoint needs, where it lies, and nothing else of it. */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { checkpointUnreadable } from "../errors.ts";

export interface FileSlices {
  readonly path: string;
  readonly size: number;
  /** Exactly `length` bytes from `position` on; throws where the file has fewer. */
  read(position: number, length: number): Uint8Array;
}

/** Opens `path` for the time of `use`. Throws where it is no readable file. */
export function withFile<Result>(path: string, use: (file: FileSlices) => Result): Result {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    throw checkpointUnreadable(path, reasonOf(error));
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw checkpointUnreadable(path, "it is no file");
    const { size } = stats;
    return use({
      path,
      size,
      read(position, length) {
        const bytes = new Uint8Array(length);
        let done = 0;
        while (done < length) {
          const count = readSync(descriptor, bytes, done, length - done, position + done);
          if (count === 0) {
            const needed = position + length;
            throw checkpointUnreadable(path, `it ends at byte ${size}; ${needed} are needed`);
          }
          done += count;
        }
        return bytes;
      },
    });
  } finally {
    closeSync(descriptor);
  }
}

const reasonOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "it may not be read";
  return error instanceof Error ? error.message : String(error);
};

const hashedAtOnce = 1 << 22;

/** SHA-256 of the whole file, in hexadecimal. */
export const hashOfFile = (path: string): string =>
  withFile(path, (file) => {
    const hash = createHash("sha256");
    for (let at = 0; at < file.size; at += hashedAtOnce)
      hash.update(file.read(at, Math.min(hashedAtOnce, file.size - at)));
    return hash.digest("hex");
  });
