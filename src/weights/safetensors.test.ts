import { expect, test } from "vitest";
import { fileWith, safetensorsWith } from "./fixtureInTest.ts";
import { readJob, runJob } from "./jobs.ts";
import { openCheckpoint } from "./open.ts";
import { readSafetensors } from "./safetensors.ts";

const entry = (dtype: string, shape: number[], from: number, to: number) => ({
  dtype,
  shape,
  data_offsets: [from, to],
});
const read = (head: string | object, data: Uint8Array, length?: bigint) =>
  readSafetensors(fileWith(safetensorsWith(head, data, length)));

test("reads a tensor from its slice, whatever stands before it", () => {
  const head = { a: entry("U8", [4], 0, 4), b: entry("F32", [2], 4, 12) };
  const { tensors } = read(head, Buffer.concat([Buffer.alloc(4), floats(1.5, -2)]));
  const stored = tensors.get("b");
  const out = new Float32Array(2);
  if (stored) runJob(readJob(stored, "float32"), out);
  expect([...out]).toEqual([1.5, -2]);
});

const floats = (...numbers: number[]) => Buffer.from(Float32Array.from(numbers).buffer);
const bytes8 = new Uint8Array(8);

test.each([
  ["its head is said to have 200000000 bytes", {}, bytes8, 200_000_000n],
  ["its head is said to have 9000 bytes, and the file has", {}, bytes8, 9000n],
  ["its head is not the JSON of safetensors", "{", bytes8],
  ["its head is not UTF-8 text", "\xff\xfe", bytes8],
  ["the key 'a' stands twice", '{"a":1,"a":2}', bytes8],
  ["its head is no JSON object", "[1]", bytes8],
  ["'a' has the element type 'F9'", { a: entry("F9", [2], 0, 8) }, bytes8],
  ["'a' has no list of sizes", { a: entry("F32", [-2], 0, 8) }, bytes8],
  ["'a' does not say where its bytes lie", { a: entry("F32", [2], 8, 0) }, bytes8],
  ["'a' has 8 bytes; its shape [3] needs 12", { a: entry("F32", [3], 0, 8) }, bytes8],
  ["overlaps another tensor", { a: entry("F32", [2], 0, 8), b: entry("F32", [1], 4, 8) }, bytes8],
  ["there is a gap before 'a'", { a: entry("F32", [1], 4, 8) }, bytes8],
  ["it is cut short", { a: entry("F32", [4], 0, 16) }, bytes8],
  ["4 bytes after its last tensor belong to none", { a: entry("F32", [1], 0, 4) }, bytes8],
])("refuses a file where %s", (reason, head, data, length?: bigint) => {
  const file =
    head === "\xff\xfe"
      ? fileWith(Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe]), data]))
      : fileWith(safetensorsWith(head, data, length));
  expect(() => readSafetensors(file)).toThrow(reason);
});

test("other files are named for what they are", () => {
  const cases: [bytes: Uint8Array | string, name: string, reason: string][] = [
    ["", "a.safetensors", "it is empty"],
    ["\x01\x02", "a.safetensors", "shorter than the head"],
    ["version https://git-lfs.github.com/spec/v1\noid", "a.safetensors", "a pointer of Git LFS"],
    [Buffer.from([0x80, 4, 0x4b, 1, 0x2e]), "a.pt", "a pickle that torch.save did not write"],
    ["anything at all", "a.bin", "neither safetensors"],
    [Buffer.from("\x93NUMPY\x01\x00v\x00", "latin1"), "a.npy", "one array without a name"],
    ['{"weight_map": {"a": "../b.safetensors"}}', "a.index.json", "which is no file beside it"],
    ['{"weight_map": {}}', "a.index.json", "it names no files"],
    ["[]", "a.index.json", "no 'weight_map'"],
  ];
  for (const [bytes, name, reason] of cases)
    expect(() => openCheckpoint(fileWith(bytes, name))).toThrow(reason);
});
