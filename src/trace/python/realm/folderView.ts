/**
 * A folder of the real disk as Python sees it: read when first touched, never written. What Python
 * writes, renames or deletes there changes nodes in memory alone.
 */

import { outside } from "./outer.ts";
import type { FolderEntry } from "./outside.ts";
import type { EmscriptenFs, FsNode, NodeOps } from "./pyodide.ts";

const folderMode = 0o40755;
const fileMode = 0o100644;
const refusedMode = 0o100000;
const EACCES = 2;
const EFBIG = 22;
const largestFile = 1 << 30;

/** Mounts the folder that Node's side knows as number `mount`. */
export function mountFolder(fs: EmscriptenFs, folder: string, mount: number): void {
  fs.mkdirTree(folder);
  fs.mount({ mount: () => folderNode(fs, mount, null, "/", "") }, {}, folder);
}

function folderNode(
  fs: EmscriptenFs,
  mount: number,
  parent: FsNode | null,
  name: string,
  path: string,
): FsNode {
  const node = fs.filesystems.MEMFS.createNode(parent, name, folderMode, 0);
  const inMemory = node.node_ops;
  let isListed = false;
  const list = () => {
    if (isListed) return;
    isListed = true;
    for (const entry of entriesOf(mount, path)) addEntry(fs, mount, node, path, entry);
  };
  node.node_ops = {
    ...inMemory,
    lookup(parentNode, child) {
      if (isListed) return inMemory.lookup(parentNode, child);
      list();
      const found = (node.contents as Record<string, FsNode>)[child];
      return found ?? inMemory.lookup(parentNode, child);
    },
    readdir(self) {
      list();
      return inMemory.readdir(self);
    },
  } satisfies NodeOps;
  return node;
}

function entriesOf(mount: number, path: string): readonly FolderEntry[] {
  const text = outside.listFolder(mount, path);
  return text === "" ? [] : (JSON.parse(text) as FolderEntry[]);
}

function addEntry(
  fs: EmscriptenFs,
  mount: number,
  parent: FsNode,
  folder: string,
  entry: FolderEntry,
): void {
  const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
  const node =
    entry.kind === "folder"
      ? folderNode(fs, mount, parent, entry.name, path)
      : fileNode(fs, mount, parent, path, entry);
  node.mtime = entry.modified;
}

function fileNode(
  fs: EmscriptenFs,
  mount: number,
  parent: FsNode,
  path: string,
  entry: FolderEntry,
): FsNode {
  const mode = entry.kind === "refused" ? refusedMode : fileMode;
  const node = fs.filesystems.MEMFS.createNode(parent, entry.name, mode, 0);
  const inMemory = node.node_ops;
  let isRead = false;
  node.usedBytes = entry.size;
  const read = () => {
    if (isRead) return;
    if (entry.kind === "refused") throw new fs.ErrnoError(EACCES);
    if (entry.size > largestFile) throw new fs.ErrnoError(EFBIG);
    const bytes = new Uint8Array(entry.size);
    const count = outside.readFile(mount, path, bytes);
    if (count < 0) throw new fs.ErrnoError(EACCES);
    node.contents = bytes.subarray(0, count);
    node.usedBytes = count;
    isRead = true;
  };
  node.node_ops = {
    ...inMemory,
    setattr(self, attributes) {
      if (attributes.size !== undefined) read();
      inMemory.setattr(self, attributes);
    },
  };
  node.stream_ops = { ...node.stream_ops, open: read };
  return node;
}
