/** PyTorch's CPU generator: the Mersenne Twister, and what the distributions leave behind. */
import { invariant } from "../errors.ts";
import { advance, state as scratch, temperWords, words } from "./kernels.ts";
import { chunkWords, stateWords } from "./wasm/layout.ts";

/** A copy of all that a generator remembers; plain data, so it can be sent to a worker. */
export interface GeneratorState {
  /** What the generator was last seeded with, 64 bits. */
  readonly seed: bigint;
  readonly words: Uint32Array;
  /** Words of the state already drawn, 0 to 624. */
  readonly used: number;
  /** The second number of a pair that the scalar normal distribution has not given out yet. */
  readonly spareNormal: number | null;
}

export interface Generator {
  manualSeed(seed: number | bigint): void;
  /** Seeds from the system's entropy and returns that seed, as `torch.seed()`. */
  seed(): bigint;
  initialSeed(): bigint;
  getState(): GeneratorState;
  setState(state: GeneratorState): void;
  random32(): number;
  /** Two draws; the first is the upper half. */
  random64(): bigint;
  /** Passes over `count` 32-bit draws without computing them. */
  skip(count: number): void;
  /**
   * The next `count` ≤ 16384 draws. The array is shared scratch: its numbers last until the next
   * call into src/random.
   */
  draw(count: number): Uint32Array;
  /** Hands out the number that `keepNormal` left, once. */
  takeNormal(): number | null;
  keepNormal(value: number): void;
}

/** Knuth's initialisation with the lower 32 bits of the seed, as `init_genrand` of the original. */
function seededWords(seed: bigint): Uint32Array {
  const state = new Uint32Array(stateWords);
  let previous = Number(seed & 0xffffffffn);
  state[0] = previous;
  for (let j = 1; j < stateWords; j++) {
    previous = (Math.imul(1812433253, previous ^ (previous >>> 30)) + j) >>> 0;
    state[j] = previous;
  }
  return state;
}

/** Negative seeds stand for 2⁶⁴ more, as in `torch.manual_seed`. */
const seedOf = (seed: number | bigint): bigint => BigInt.asUintN(64, BigInt(seed));

export function createGenerator(initial: number | bigint): Generator {
  let seed = seedOf(initial);
  const state = seededWords(seed);
  let used = stateWords;
  let spareNormal: number | null = null;

  function manualSeed(next: number | bigint): void {
    seed = seedOf(next);
    state.set(seededWords(seed));
    used = stateWords;
    spareNormal = null;
  }

  function draw(count: number): Uint32Array {
    invariant(count <= chunkWords, `${count} draws at once; ${chunkWords} is the most`);
    scratch.set(state);
    let drawn = 0;
    let twisted = false;
    while (drawn < count) {
      if (used === stateWords) {
        advance(1);
        used = 0;
        twisted = true;
      }
      const run = Math.min(stateWords - used, count - drawn);
      temperWords(used, drawn, run);
      used += run;
      drawn += run;
    }
    if (twisted) state.set(scratch);
    return words.subarray(0, count);
  }

  function skip(count: number): void {
    const position = used + count;
    const twists = Math.max(Math.ceil(position / stateWords) - 1, 0);
    used = position - twists * stateWords;
    if (twists === 0) return;
    scratch.set(state);
    advance(twists);
    state.set(scratch);
  }

  const random32 = (): number => draw(1)[0] ?? 0;

  return {
    manualSeed,
    seed: () => {
      const [entropy = 0n] = crypto.getRandomValues(new BigUint64Array(1));
      manualSeed(entropy);
      return entropy;
    },
    initialSeed: () => seed,
    getState: () => ({ seed, words: state.slice(), used, spareNormal }),
    setState: (from) => {
      seed = from.seed;
      state.set(from.words);
      used = from.used;
      spareNormal = from.spareNormal;
    },
    random32,
    random64: () => {
      const high = BigInt(random32());
      return (high << 32n) | BigInt(random32());
    },
    skip,
    draw,
    takeNormal: () => {
      const value = spareNormal;
      spareNormal = null;
      return value;
    },
    keepNormal: (value) => {
      spareNormal = value;
    },
  };
}

export function generatorFrom(state: GeneratorState): Generator {
  const generator = createGenerator(0);
  generator.setState(state);
  return generator;
}
