/** Safetensors files: a JSON head that says where each tensor lies, then their bytes without gaps. */
import { checkpointUnreadable } from "../errors.ts";
import { contiguousStrides, numel } from "../graph/tensor.ts";
import { type Element, elementInfo } from "./elements.ts";
import { type FileSlices, withFile } from "./fileReader.ts";
import type { StoredTensor } from "./jobs.ts";
import { type Json, type JsonObject, parseStrictJson } from "./strictJson.ts";

export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The format's own limit. */
const headLimit = 100_000_000;

const elementOf: Readonly<Record<string, Element>> = {
  F64: "float64",
  F32: "float32",
  F16: "float16",
  BF16: "bfloat16",
  F8_E4M3: "float8_e4m3fn",
  F8_E5M2: "float8_e5m2",
  C64: "complex64",
  I64: "int64",
  I32: "int32",
  I16: "int16",
  I8: "int8",
  U64: "uint64",
  U32: "uint32",
  U16: "uint16",
  U8: "uint8",
  BOOL: "bool",
};

/** Reads the head alone, and checks all that the format promises of it. */
export const readSafetensors = (path: string): SafetensorsFile => withFile(path, readHead);

function readHead(file: FileSlices): SafetensorsFile {
  const fail = (reason: string) => checkpointUnreadable(file.path, reason);
  if (file.size < 8) throw fail("it is shorter than the head of a safetensors file");
  const length = Number(new DataView(file.read(0, 8).buffer).getBigUint64(0, true));
  if (length > headLimit)
    throw fail(`its head is said to have ${length} bytes; at most ${headLimit} are allowed`);
  if (8 + length > file.size)
    throw fail(`its head is said to have ${length} bytes, and the file has ${file.size}`);
  const head = parseHead(file, length);
  const tensors = new Map<string, StoredTensor>();
  let metadata: Readonly<Record<string, string>> = {};
  for (const [name, entry] of head) {
    if (!(entry instanceof Map)) throw fail(`the entry '${name}' of its head is no object`);
    if (name === "__metadata__") metadata = textsOf(entry);
    else tensors.set(name, tensorOf(file.path, 8 + length, name, entry));
  }
  checkLayout(file, 8 + length, tensors);
  return { tensors, metadata };
}

function parseHead(file: FileSlices, length: number): JsonObject {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(file.read(8, length));
  } catch {
    throw checkpointUnreadable(file.path, "its head is not UTF-8 text");
  }
  let head: Json;
  try {
    head = parseStrictJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw checkpointUnreadable(file.path, `its head is not the JSON of safetensors: ${reason}`);
  }
  if (head instanceof Map) return head;
  throw checkpointUnreadable(file.path, "its head is no JSON object");
}

const textsOf = (entry: JsonObject): Record<string, string> =>
  Object.fromEntries([...entry].map(([name, value]) => [name, String(value)]));

function tensorOf(file: string, start: number, name: string, entry: JsonObject): StoredTensor {
  const dtype = String(entry.get("dtype"));
  const element = elementOf[dtype];
  if (element === undefined)
    throw checkpointUnreadable(file, `'${name}' has the element type '${dtype}'`);
  const shape = wholeNumbers(entry.get("shape"));
  const range = wholeNumbers(entry.get("data_offsets"));
  if (shape === null) throw checkpointUnreadable(file, `'${name}' has no list of sizes`);
  const [from, to] = range ?? [];
  if (from === undefined || to === undefined || range?.length !== 2 || to < from)
    throw checkpointUnreadable(file, `'${name}' does not say where its bytes lie`);
  const needed = numel(shape) * elementInfo(element).bytes;
  if (to - from !== needed) {
    const found = `'${name}' has ${to - from} bytes; its shape [${shape.join(", ")}] needs ${needed}`;
    throw checkpointUnreadable(file, found);
  }
  return {
    file,
    element,
    little: true,
    position: start + from,
    bytes: needed,
    inflated: null,
    skip: 0,
    shape,
    strides: contiguousStrides(shape),
    offset: 0,
  };
}

function wholeNumbers(value: Json | undefined): number[] | null {
  if (!Array.isArray(value)) return null;
  const numbers = value.map(Number);
  const isWhole = (x: unknown) => typeof x === "number" && Number.isSafeInteger(x) && x >= 0;
  return value.every(isWhole) ? numbers : null;
}

/** Tensors follow one another without a gap, to the end of the file. */
function checkLayout(
  { path, size }: FileSlices,
  start: number,
  tensors: ReadonlyMap<string, StoredTensor>,
): void {
  const ordered = [...tensors].sort(([, a], [, b]) => a.position - b.position || a.bytes - b.bytes);
  let end = start;
  for (const [name, { position, bytes }] of ordered) {
    if (position < end) throw checkpointUnreadable(path, `'${name}' overlaps another tensor`);
    if (position > end) throw checkpointUnreadable(path, `there is a gap before '${name}'`);
    end = position + bytes;
  }
  if (end === size) return;
  const reason =
    end > size
      ? `it is cut short: its tensors end at byte ${end}, the file at ${size}`
      : `${size - end} bytes after its last tensor belong to none`;
  throw checkpointUnreadable(path, reason);
}
