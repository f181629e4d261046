import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { withFile } from "./fileReader.ts";
import { fileWith, type ZipPart, zipWith } from "./fixtureInTest.ts";
import { readNpz } from "./numpyFile.ts";
import { openCheckpoint } from "./open.ts";
import { readEntry, readZip } from "./zip.ts";

const zipped = (...parts: ZipPart[]) => fileWith(zipWith(parts), "a.npz");
const hello = Buffer.from("hello");

test("reads entries that are stored and entries that are deflated", () => {
  const long = Buffer.alloc(1000, 7);
  const path = zipped(
    { name: "a", data: hello },
    { name: "b", data: deflateRawSync(long), inflated: 1000 },
  );
  withFile(path, (file) => {
    const entries = readZip(file);
    const [a, b] = [entries.get("a"), entries.get("b")];
    expect(a && Buffer.from(readEntry(file, a, 100)).toString()).toBe("hello");
    expect(b && Buffer.from(readEntry(file, b, 1000))).toEqual(long);
    expect(() => b && readEntry(file, b, 999)).toThrow("at most 999 are allowed");
  });
});

const bomb = deflateRawSync(Buffer.alloc(1 << 20));

test.each<[string, ZipPart[]]>([
  [
    "its archive has the entry 'a' twice",
    [
      { name: "a", data: hello },
      { name: "a", data: hello },
    ],
  ],
  [
    "overlaps another",
    [
      { name: "a", data: hello },
      { name: "b", data: hello, at: 0 },
    ],
  ],
  ["is not where it should be", [{ name: "a", data: hello, at: 3 }]],
  ["claims 4000000000 bytes", [{ name: "a.npy", data: bomb, inflated: 4_000_000_000 }]],
  ["does not unpack to its stated size", [{ name: "a.npy", data: bomb, inflated: 1000 }]],
  ["does not unpack to its stated size", [{ name: "a.npy", data: bomb, inflated: (1 << 20) + 1 }]],
  ["'a.npy' is no array of NumPy", [{ name: "a.npy", data: Buffer.alloc(64) }]],
  ["its archive has no arrays", [{ name: "a.txt", data: hello }]],
])("refuses an archive: %s", (reason, parts) => {
  expect(() => readNpz(zipped(...parts))).toThrow(reason);
});

test("an archive that is cut short is not read", () => {
  const whole = zipWith([{ name: "data.pkl", data: hello }]);
  const path = fileWith(whole.subarray(0, whole.length - 30), "a.pt");
  expect(() => openCheckpoint(path)).toThrow("its archive is cut short");
});

test("a storage that is missing from the archive, or shorter than it says", () => {
  const pickle = Buffer.from(
    "ctorch._utils\n_rebuild_tensor_v2\n((U\x07storagectorch\nFloatStorage\nU\x010U\x03cpuK\x04tQ" +
      "K\x00K\x04\x85K\x01\x85\x89NtR.",
    "latin1",
  );
  const alone = zipped({ name: "m/data.pkl", data: pickle });
  expect(() => openCheckpoint(alone)).toThrow("the storage '0' is not in its archive");
  const short = zipped({ name: "m/data.pkl", data: pickle }, { name: "m/data/0", data: hello });
  expect(() => openCheckpoint(short)).toThrow("the storage '0' is cut short");
});
