/** Token ids from a file: bytes of a text, words of a tokenizer, uint16 as nanoGPT writes, an array. */
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { tokensUnreadable } from "../errors.ts";
import { allocate, type Numbers, numel } from "../graph/tensor.ts";
import { withFile } from "../weights/fileReader.ts";
import { readJob, runJob, type StoredTensor } from "../weights/jobs.ts";
import { readNpy } from "../weights/numpyFile.ts";
import { createTokenizer } from "./tokenizer.ts";

export interface TokenSource {
  readonly kind: "bytes" | "uint16" | "array" | "tokenizer";
  readonly count: number;
  /** Ids [start, start + count), as int64 is held. */
  read(start: number, count: number): Numbers;
}

/** A text that a tokenizer reads has at most this many bytes: all of it is encoded. */
const textLimit = 1 << 26;

/** `tokenizer`: path of a tokenizer.json, or null. */
export function openTokens(file: string, tokenizer: string | null): TokenSource {
  for (const path of [file, ...(tokenizer === null ? [] : [tokenizer])])
    if (!existsSync(path)) throw tokensUnreadable(path, "there is no such file");
  if (tokenizer !== null) return encoded(file, tokenizer);
  const ending = extname(file).toLowerCase();
  if (ending === ".npy") return arraySource(file);
  return flatSource(file, ending === ".bin" ? "uint16" : "bytes");
}

function encoded(file: string, tokenizerFile: string): TokenSource {
  const tokenizer = createTokenizer(readJson(tokenizerFile));
  const text = withFile(file, ({ size, read }) => {
    if (size > textLimit)
      throw tokensUnreadable(
        file,
        `it has ${size} bytes; a tokenizer is given at most ${textLimit}`,
      );
    return new TextDecoder().decode(read(0, size));
  });
  const ids = Float64Array.from(tokenizer.encode(text));
  return {
    kind: "tokenizer",
    count: ids.length,
    read: (start, count) => ids.slice(start, start + count),
  };
}

function readJson(file: string): unknown {
  const text = withFile(file, ({ size, read }) => new TextDecoder().decode(read(0, size)));
  try {
    return JSON.parse(text);
  } catch {
    throw tokensUnreadable(file, "it is no JSON");
  }
}

function flatSource(file: string, kind: "bytes" | "uint16"): TokenSource {
  const size = kind === "bytes" ? 1 : 2;
  const bytes = withFile(file, (opened) => opened.size);
  if (bytes % size !== 0)
    throw tokensUnreadable(file, `uint16 ids need two bytes each; it has ${bytes}`);
  const element = kind === "bytes" ? "uint8" : "uint16";
  const count = bytes / size;
  const whole = {
    file,
    element,
    little: true,
    position: 0,
    bytes,
    inflated: null,
    skip: 0,
  } as const;
  return { kind, count, read: reader({ ...whole, shape: [count], strides: [1], offset: 0 }) };
}

function arraySource(file: string): TokenSource {
  const stored = readNpy(file);
  if (/^(?:float|complex|bool)/.test(stored.element))
    throw tokensUnreadable(file, `ids are integers; it has ${stored.element}`);
  const count = numel(stored.shape);
  const isRowMajor = stored.shape.length < 2 || stored.strides.at(-1) === 1;
  if (!isRowMajor) throw tokensUnreadable(file, "its array is stored column by column");
  return { kind: "array", count, read: reader({ ...stored, shape: [count], strides: [1] }) };
}

const reader =
  (stored: StoredTensor) =>
  (start: number, count: number): Numbers => {
    const out = allocate("int64", count);
    runJob(readJob({ ...stored, shape: [count], offset: start }, "int64"), out);
    return out;
  };
