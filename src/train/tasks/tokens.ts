/** Windows of a long list of tokens: a text by bytes, or a token file. */
import { badTaskFile } from "../errors.ts";
import { draw, entropy, generatorOf, nextSymbol, type Task, type TaskSize } from "./task.ts";

export type Order = "random" | "sequential";

export function windows(
  name: string,
  tokens: Uint8Array | Uint16Array,
  size: TaskSize,
  { seed, order }: { readonly seed: number; readonly order: Order },
): Task {
  const { batch, seq } = size;
  const starts = tokens.length - seq;
  if (starts < 1)
    throw badTaskFile(name, `it has ${tokens.length} tokens, and a row needs ${seq + 1}`);
  const counts = countsOf(tokens);
  return {
    vocabulary: counts.length,
    reference: { unigram: entropy(counts.map((count) => count / tokens.length)), floor: null },
    batch(index) {
      const gen = generatorOf(seed, index);
      return nextSymbol(size, (row) => {
        const start =
          order === "random" ? draw(gen, starts) : ((index * batch + row) * seq) % starts;
        return tokens.subarray(start, start + seq + 1);
      });
    },
  };
}

/** By token, up to the largest that occurs. */
function countsOf(tokens: Uint8Array | Uint16Array): number[] {
  const counts: number[] = [];
  for (const token of tokens) {
    while (counts.length <= token) counts.push(0);
    counts[token] = (counts[token] ?? 0) + 1;
  }
  return counts;
}

/** `.bin` holds uint16, little-endian; all else is read by bytes. */
export function readTokens(file: string, bytes: Uint8Array): Uint8Array | Uint16Array {
  if (!file.endsWith(".bin")) return bytes;
  if (bytes.length % 2 !== 0) throw badTaskFile(file, "a .bin file holds two bytes a token");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint16Array.from({ length: bytes.length / 2 }, (_, at) => view.getUint16(2 * at, true));
}
