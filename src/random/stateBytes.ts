/** The bytes of `torch.get_rng_state()`: a C structure, little-endian, 5056 bytes. */
import { torchError } from "../errors.ts";
import type { GeneratorState } from "./engine.ts";
import { stateWords } from "./wasm/layout.ts";

const size = 5056;

/** Byte offsets of the fields; the words of the state are kept as 64-bit integers. */
const offsets = {
  seed: 0,
  left: 8,
  seeded: 12,
  next: 16,
  words: 24,
  spareNormal: 24 + 8 * stateWords + 8,
  hasSpareNormal: 24 + 8 * stateWords + 24,
} as const;

const littleEndian = true;

export function encodeState({ seed, words, used, spareNormal }: GeneratorState): Uint8Array {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(offsets.seed, seed, littleEndian);
  view.setInt32(offsets.left, stateWords + 1 - used, littleEndian);
  view.setInt32(offsets.seeded, 1, littleEndian);
  view.setUint32(offsets.next, used, littleEndian);
  words.forEach((word, j) => {
    view.setUint32(offsets.words + 8 * j, word, littleEndian);
  });
  view.setFloat64(offsets.spareNormal, spareNormal ?? 0, littleEndian);
  view.setInt32(offsets.hasSpareNormal, spareNormal === null ? 0 : 1, littleEndian);
  return bytes;
}

/** Throws PyTorch's error for bytes of another size. */
export function decodeState(bytes: Uint8Array): GeneratorState {
  if (bytes.length !== size) {
    throw torchError(
      "RuntimeError",
      `Expected a CPUGeneratorImplState of size ${size} but found the input RNG state size to be ` +
        `${bytes.length}`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (j: number): number => view.getUint32(offsets.words + 8 * j, littleEndian);
  const hasSpare = view.getInt32(offsets.hasSpareNormal, littleEndian) !== 0;
  return {
    seed: view.getBigUint64(offsets.seed, littleEndian),
    words: Uint32Array.from({ length: stateWords }, (_, j) => word(j)),
    used: stateWords + 1 - view.getInt32(offsets.left, littleEndian),
    spareNormal: hasSpare ? view.getFloat64(offsets.spareNormal, littleEndian) : null,
  };
}
