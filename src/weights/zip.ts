/** The table of contents of a ZIP file: PyTorch's checkpoints and NumPy's .npz are such files. */
import { checkpointUnreadable } from "../errors.ts";
import type { FileSlices } from "./fileReader.ts";
import { inflate } from "./jobs.ts";

export interface ZipEntry {
  readonly name: string;
  /** Where its bytes lie in the file, and how many there are. */
  readonly position: number;
  readonly bytes: number;
  /** Length once inflated; null where it is stored as it is. */
  readonly inflated: number | null;
}

const marks = { end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 } as const;
const centralMark = 0x02014b50;
const localMark = 0x04034b50;
/** The record at the end, and the longest comment that can follow it. */
const endBytes = 22;
const tailBytes = endBytes + 0xffff;
const directoryLimit = 1 << 28;
/** Deflate cannot shrink further than about this. */
const largestRatio = 1032;

/** By name. Throws for what is no ZIP file, or says two things of one entry. */
export function readZip(file: FileSlices): ReadonlyMap<string, ZipEntry> {
  const { offset, bytes, count } = findDirectory(file);
  const fail = (reason: string) => checkpointUnreadable(file.path, reason);
  if (offset + bytes > file.size || bytes > directoryLimit)
    throw fail("the table of contents of its archive lies outside of the file");
  const table = viewOf(file.read(offset, bytes));
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes || table.getUint32(at, true) !== centralMark)
      throw fail("the table of contents of its archive is damaged");
    const { entry, next } = centralEntry(file, table, at);
    if (entries.has(entry.name)) throw fail(`its archive has the entry '${entry.name}' twice`);
    entries.set(entry.name, entry);
    at = next;
  }
  checkOverlap(file, [...entries.values()]);
  return entries;
}

/** The whole of an entry that may have at most `limit` bytes. */
export function readEntry(file: FileSlices, entry: ZipEntry, limit: number): Uint8Array {
  const length = entry.inflated ?? entry.bytes;
  if (length > limit) {
    const reason = `'${entry.name}' has ${length} bytes; at most ${limit} are allowed`;
    throw checkpointUnreadable(file.path, reason);
  }
  if (entry.inflated === null) return file.read(entry.position, entry.bytes);
  return inflate(file, entry, entry.inflated);
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Directory {
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
}

function findDirectory(file: FileSlices): Directory {
  const length = Math.min(tailBytes, file.size);
  const tail = viewOf(file.read(file.size - length, length));
  for (let at = length - endBytes; at >= 0; at--) {
    if (tail.getUint32(at, true) !== marks.end) continue;
    const short = {
      count: tail.getUint16(at + 10, true),
      bytes: tail.getUint32(at + 12, true),
      offset: tail.getUint32(at + 16, true),
    };
    const isLarge =
      short.count === 0xffff || short.bytes === 0xffffffff || short.offset === 0xffffffff;
    const hasLocator = at >= 20 && tail.getUint32(at - 20, true) === marks.locator64;
    return isLarge && hasLocator ? largeDirectory(file, wide(tail, at - 12)) : short;
  }
  throw checkpointUnreadable(
    file.path,
    "its archive is cut short: the table of contents is missing",
  );
}

function largeDirectory(file: FileSlices, position: number): Directory {
  if (position + 56 <= file.size) {
    const record = viewOf(file.read(position, 56));
    if (record.getUint32(0, true) === marks.end64)
      return { count: wide(record, 32), bytes: wide(record, 40), offset: wide(record, 48) };
  }
  throw checkpointUnreadable(file.path, "the table of contents of its archive is damaged");
}

const wide = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

function centralEntry(file: FileSlices, table: DataView, at: number) {
  const fail = (reason: string) => checkpointUnreadable(file.path, reason);
  const flags = table.getUint16(at + 8, true);
  const method = table.getUint16(at + 10, true);
  const lengths = [28, 30, 32].map((field) => table.getUint16(at + field, true));
  const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
  const next = at + 46 + nameLength + extraLength + commentLength;
  if (next > table.byteLength) throw fail("the table of contents of its archive is damaged");
  const nameBytes = new Uint8Array(table.buffer, table.byteOffset + at + 46, nameLength);
  const name = new TextDecoder().decode(nameBytes);
  if (flags & 1) throw fail(`the entry '${name}' of its archive is encrypted`);
  if (method !== 0 && method !== 8)
    throw fail(`the entry '${name}' of its archive is compressed by method ${method}`);
  const sizes = sizesOf(table, at, at + 46 + nameLength, extraLength);
  if (method === 0 && sizes.full !== sizes.packed)
    throw fail(`the entry '${name}' of its archive has two sizes`);
  if (sizes.full > largestRatio * sizes.packed + 1024)
    throw fail(`the entry '${name}' claims ${sizes.full} bytes, packed into ${sizes.packed}`);
  const position = dataPosition(file, name, sizes.local);
  if (position + sizes.packed > file.size) throw fail(`the entry '${name}' is cut short`);
  const inflated = method === 0 ? null : sizes.full;
  const entry: ZipEntry = { name, position, bytes: sizes.packed, inflated };
  return { entry, next };
}

/** Sizes and place of an entry; those that do not fit 32 bits stand in an extra field, in order. */
function sizesOf(table: DataView, at: number, extra: number, extraLength: number) {
  const fields = [24, 20, 42].map((field) => table.getUint32(at + field, true));
  let from = extra;
  while (from + 4 <= extra + extraLength) {
    const id = table.getUint16(from, true);
    const length = table.getUint16(from + 2, true);
    if (id === 1) {
      let field = from + 4;
      for (const [i, value] of fields.entries()) {
        if (value !== 0xffffffff || field + 8 > from + 4 + length) continue;
        fields[i] = wide(table, field);
        field += 8;
      }
      break;
    }
    from += 4 + length;
  }
  const [full = 0, packed = 0, local = 0] = fields;
  return { full, packed, local };
}

function dataPosition(file: FileSlices, name: string, local: number): number {
  if (local + 30 <= file.size) {
    const head = viewOf(file.read(local, 30));
    if (head.getUint32(0, true) === localMark)
      return local + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  }
  throw checkpointUnreadable(
    file.path,
    `the entry '${name}' of its archive is not where it should be`,
  );
}

/** Many entries on the same bytes are how a small file unpacks to a large one. */
function checkOverlap(file: FileSlices, entries: readonly ZipEntry[]): void {
  const ordered = entries.toSorted((a, b) => a.position - b.position);
  let end = 0;
  for (const { name, position, bytes } of ordered) {
    if (bytes > 0 && position < end)
      throw checkpointUnreadable(file.path, `the entry '${name}' of its archive overlaps another`);
    end = Math.max(end, position + bytes);
  }
}
