/** Opens a checkpoint by what its bytes are: the name of a file says little. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkpointUnreadable } from "../errors.ts";
import { type Checkpoint, namedTensors, type Tree } from "./checkpoint.ts";
import { type FileSlices, withFile } from "./fileReader.ts";
import { isNpy, readNpz } from "./numpyFile.ts";
import { readSafetensors } from "./safetensors.ts";
import { type Json, parseStrictJson } from "./strictJson.ts";
import { isOldTorch, readOldTorch, readTorchZip } from "./torchFile.ts";
import { readZip } from "./zip.ts";

/** `path` is a file, the index of a sharded checkpoint, or a folder with one of these. */
export function openCheckpoint(path: string): Checkpoint {
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? fileIn(path) : path;
  return file.endsWith(".index.json") ? openShards(file) : openFile(file);
}

/** As Hugging Face's folders and others name them, the most specific first. */
const usual = [
  "model.safetensors.index.json",
  "model.safetensors",
  "pytorch_model.bin.index.json",
  "pytorch_model.bin",
  "consolidated.00.pth",
];

function fileIn(folder: string): string {
  const known = usual.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (known !== undefined) return known;
  const names = readdirSync(folder).filter((name) =>
    /\.(?:safetensors|pt|pth|bin|npz)$/.test(name),
  );
  const [only] = names;
  if (only !== undefined && names.length === 1) return join(folder, only);
  const found = names.length === 0 ? "none" : names.slice(0, 5).join(", ");
  throw checkpointUnreadable(folder, `the folder needs one checkpoint; it has ${found}`);
}

function openFile(path: string): Checkpoint {
  const made = (format: Checkpoint["format"], root: Tree): Checkpoint => ({
    format,
    files: [path],
    root,
    metadata: {},
  });
  const kind = withFile(path, kindOf);
  switch (kind) {
    case "torch":
      return made("PyTorch", readTorchZip(path));
    case "old torch":
      return made("PyTorch (before 1.6)", readOldTorch(path));
    case "npz":
      return made("NumPy", namedTensors(readNpz(path)));
    case "safetensors": {
      const { tensors, metadata } = readSafetensors(path);
      return { ...made("safetensors", namedTensors(tensors)), metadata };
    }
  }
}

function kindOf(file: FileSlices): "torch" | "old torch" | "npz" | "safetensors" {
  const { path, size } = file;
  if (size === 0) throw checkpointUnreadable(path, "it is empty");
  const head = file.read(0, Math.min(size, 64));
  const start = new TextDecoder("latin1").decode(head);
  if (start.startsWith("version https://git-lfs"))
    throw checkpointUnreadable(path, "it is a pointer of Git LFS: fetch the file itself");
  if (start.startsWith("PK")) {
    const names = [...readZip(file).keys()];
    return names.some((name) => name.endsWith("data.pkl")) ? "torch" : "npz";
  }
  if (isOldTorch(head)) return "old torch";
  if (isNpy(head))
    throw checkpointUnreadable(path, "it is one array without a name; an .npz file has names");
  if (path.endsWith(".safetensors") || start[8] === "{") return "safetensors";
  if (head[0] === 0x80)
    throw checkpointUnreadable(path, "it is a pickle that torch.save did not write");
  const isTar = size > 262 && new TextDecoder().decode(file.read(257, 5)) === "ustar";
  throw checkpointUnreadable(
    path,
    isTar
      ? "it is of the tar format of PyTorch 0.1: save it again with a later one"
      : "it is neither safetensors, nor of torch.save, nor .npz",
  );
}

function openShards(index: string): Checkpoint {
  const map = weightMap(index);
  const folder = dirname(index);
  const names = [...new Set(map.values())];
  const shards = names.map((name) => {
    if (basename(name) !== name)
      throw checkpointUnreadable(index, `it names '${name}', which is no file beside it`);
    return [name, openFile(join(folder, name))] as const;
  });
  const [first] = shards;
  if (first === undefined) throw checkpointUnreadable(index, "it names no files");
  const entries = shards.flatMap(([name, { root }]) =>
    entriesOf(root).map((it) => [name, it] as const),
  );
  checkShards(index, map, entries);
  return {
    format: first[1].format,
    files: [index, ...shards.flatMap(([, { files }]) => files)],
    root: { kind: "dict", entries: entries.map(([, entry]) => entry) },
    metadata: {},
  };
}

function weightMap(index: string): Map<string, string> {
  const text = withFile(index, (file) => {
    if (file.size > 100_000_000) throw checkpointUnreadable(index, "it is larger than 100 MB");
    return new TextDecoder().decode(file.read(0, file.size));
  });
  let parsed: Json;
  try {
    parsed = parseStrictJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw checkpointUnreadable(index, `it is not the JSON of an index: ${reason}`);
  }
  const map = parsed instanceof Map ? parsed.get("weight_map") : null;
  if (!(map instanceof Map)) throw checkpointUnreadable(index, "it has no 'weight_map'");
  return new Map([...map].map(([name, file]) => [name, String(file)]));
}

const entriesOf = (root: Tree): readonly [Tree, Tree][] =>
  root.kind === "dict" || root.kind === "ordered" ? root.entries : [];

/** Each name is in the file that the index says, and in no other. */
function checkShards(
  index: string,
  map: ReadonlyMap<string, string>,
  entries: readonly (readonly [string, [Tree, Tree]])[],
): void {
  const found = new Map<string, string>();
  for (const [file, [key]] of entries) {
    if (key.kind !== "text") continue;
    const other = found.get(key.value);
    if (other !== undefined)
      throw checkpointUnreadable(index, `'${key.value}' stands in '${other}' and in '${file}'`);
    found.set(key.value, file);
  }
  for (const [name, file] of map)
    if (found.get(name) !== file)
      throw checkpointUnreadable(index, `'${name}' is not in '${file}', as it says`);
}
