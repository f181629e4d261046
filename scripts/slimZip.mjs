/** Takes files out of a zip archive without comments, which keeps the others as they are packed. */

const endSignature = 0x06054b50;
const endBytes = 22;
const entryBytes = 46;

/** `bytes` without the files whose names `keep(name)` refuses. */
export function slimZip(bytes, keep) {
  const end = bytes.length - endBytes;
  if (bytes.readUInt32LE(end) !== endSignature) throw new Error("The archive has a comment");
  const entries = entriesOf(bytes, end);
  const starts = [...entries.map(({ start }) => start), bytes.readUInt32LE(end + 16)];
  starts.sort((a, b) => a - b);
  const files = [];
  const directory = [];
  let at = 0;
  for (const { name, start, entry } of entries) {
    if (!keep(name)) continue;
    const file = bytes.subarray(start, starts[starts.indexOf(start) + 1]);
    const moved = Buffer.from(entry);
    moved.writeUInt32LE(at, 42);
    files.push(file);
    directory.push(moved);
    at += file.length;
  }
  const last = Buffer.from(bytes.subarray(end));
  last.writeUInt16LE(directory.length, 8);
  last.writeUInt16LE(directory.length, 10);
  last.writeUInt32LE(Buffer.concat(directory).length, 12);
  last.writeUInt32LE(at, 16);
  return Buffer.concat([...files, ...directory, last]);
}

/** Of the central directory: name, where the file itself begins, and the entry's bytes. */
function entriesOf(bytes, end) {
  const entries = [];
  let at = bytes.readUInt32LE(end + 16);
  while (at < end) {
    const nameBytes = bytes.readUInt16LE(at + 28);
    const size = entryBytes + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const name = bytes.toString("utf8", at + entryBytes, at + entryBytes + nameBytes);
    entries.push({
      name,
      start: bytes.readUInt32LE(at + 42),
      entry: bytes.subarray(at, at + size),
    });
    at += size;
  }
  return entries;
}
