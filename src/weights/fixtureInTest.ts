/** Small files in the temporary folder, made wrong on purpose. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The path of a file with these bytes, for the time of one test. */
export function fileWith(bytes: Uint8Array | string, name = "file.bin"): string {
  const folder = mkdtempSync(join(tmpdir(), "normscope-weights-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** A safetensors file of a head, as it is or as JSON, and data. */
export function safetensorsWith(head: string | object, data: Uint8Array, length?: bigint): Buffer {
  const text = Buffer.from(typeof head === "string" ? head : JSON.stringify(head));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(length ?? BigInt(text.length));
  return Buffer.concat([size, text, data]);
}

export interface ZipPart {
  readonly name: string;
  readonly data: Uint8Array;
  /** Length before deflation; absent: stored as it is. */
  readonly inflated?: number;
  /** Where the directory says that the entry lies; absent: where it does. */
  readonly at?: number;
}

/** A ZIP file without checksums. */
export function zipWith(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const { name, data, inflated, at } of parts) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(inflated === undefined ? 0 : 8, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(inflated ?? data.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(at ?? position, 42);
    const file = Buffer.concat([local, Buffer.from(name), data]);
    files.push(file);
    directory.push(central, Buffer.from(name));
    position += file.length;
  }
  const table = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...files, table, end]);
}
