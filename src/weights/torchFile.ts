/** Checkpoints that torch.save wrote: a ZIP file since version 1.6, pickles in a row before. */
import { checkpointUnreadable } from "../errors.ts";
import type { Tree } from "./checkpoint.ts";
import { elementInfo } from "./elements.ts";
import { type FileSlices, withFile } from "./fileReader.ts";
import { type Locate, type StorageRef, unpickleTorch } from "./torchPickle.ts";
import { readEntry, readZip } from "./zip.ts";

const pickleLimit = 1 << 28;

/** Of a file that begins as a ZIP file does. */
export const readTorchZip = (path: string): Tree => withFile(path, readArchive);

function readArchive(file: FileSlices): Tree {
  const entries = readZip(file);
  const pickle = [...entries.values()].find(({ name }) => /^[^/]*\/data\.pkl$/.test(name));
  if (pickle === undefined)
    throw checkpointUnreadable(file.path, "its archive has no entry 'data.pkl'");
  const prefix = pickle.name.slice(0, -"data.pkl".length);
  const order = entries.get(`${prefix}byteorder`);
  const isBig =
    order !== undefined && new TextDecoder().decode(readEntry(file, order, 16)).startsWith("big");
  const locate: Locate = (storage) => {
    const entry = entries.get(`${prefix}data/${storage.key}`);
    if (entry === undefined)
      throw checkpointUnreadable(file.path, `the storage '${storage.key}' is not in its archive`);
    const { position, bytes, inflated } = entry;
    const needed = storage.count * (storage.element ? elementInfo(storage.element).bytes : 1);
    if ((inflated ?? bytes) < needed)
      throw checkpointUnreadable(file.path, `the storage '${storage.key}' is cut short`);
    return { file: file.path, position, bytes, inflated, little: !isBig };
  };
  return unpickleTorch(file.path, readEntry(file, pickle, pickleLimit), 0, locate).value;
}

/** What the first pickle of the old form holds: a number, as bytes of its pickle. */
const oldMagic = [0x80, 2, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19];

export const isOldTorch = (head: Uint8Array): boolean =>
  oldMagic.every((byte, i) => head[i] === byte);

/** Magic number, protocol, system, value, keys; then each storage's count and elements, by key. */
export const readOldTorch = (path: string): Tree => withFile(path, readPickles);

function readPickles(file: FileSlices): Tree {
  const bytes = file.read(0, Math.min(file.size, pickleLimit));
  // The storages lie behind the pickle that names them: their places are not known at first.
  const anywhere: Locate = ({ element, count }) => ({
    file: file.path,
    position: 0,
    bytes: count * (element ? elementInfo(element).bytes : 1),
    inflated: null,
    little: true,
  });
  const read = (from: number, locate: Locate) => unpickleTorch(file.path, bytes, from, locate);
  const start = [0, 1, 2].reduce((from) => read(from, anywhere).end, 0);
  const first = read(start, anywhere);
  const keys = read(first.end, anywhere);
  const places = placesOf(file, first.storages, keys.value, keys.end);
  return read(start, (storage) => {
    const position = places.get(storage.key);
    if (position === undefined)
      throw checkpointUnreadable(file.path, `the storage '${storage.key}' is not in the file`);
    return { ...anywhere(storage), position };
  }).value;
}

function placesOf(
  file: FileSlices,
  storages: readonly StorageRef[],
  keys: Tree,
  end: number,
): ReadonlyMap<string, number> {
  const named = new Map(storages.map((storage) => [storage.key, storage]));
  const places = new Map<string, number>();
  let at = end;
  for (const key of keys.kind === "list" ? keys.items : []) {
    const storage = key.kind === "text" ? named.get(key.value) : undefined;
    if (storage === undefined)
      throw checkpointUnreadable(file.path, "it has a storage that belongs to no tensor");
    const { element } = storage;
    const count = Number(new DataView(file.read(at, 8).buffer).getBigInt64(0, true));
    if (count !== storage.count)
      throw checkpointUnreadable(file.path, `the storage '${storage.key}' has two sizes`);
    places.set(storage.key, at + 8);
    at += 8 + count * (element ? elementInfo(element).bytes : 1);
    if (at > file.size)
      throw checkpointUnreadable(file.path, `the storage '${storage.key}' is cut short`);
  }
  return places;
}
