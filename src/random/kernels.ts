/** The WebAssembly functions behind the generator, and the memory that they work in. */
import { assemble } from "./wasm/assembler.ts";
import { centredNormal, normal, uniform } from "./wasm/boxMuller.ts";
import { extent } from "./wasm/extent.ts";
import {
  chunkWords,
  extentAddress,
  memoryPages,
  stateAddress,
  stateWords,
  wordsAddress,
} from "./wasm/layout.ts";
import { temper, twist } from "./wasm/mersenne.ts";

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly twist: (times: number) => void;
  readonly temper: (source: number, target: number, end: number) => void;
  readonly uniform: (start: number, end: number, from: number, span: number) => void;
  readonly normal: (start: number, end: number, mean: number, std: number) => void;
  readonly centredNormal: (start: number, end: number, mean: number, std: number) => void;
  readonly extent: (start: number, end: number, shift: number) => void;
}

const sources = [twist, temper, uniform, normal, centredNormal, extent];
const module = new WebAssembly.Module(assemble(memoryPages, sources));
const wasm = new WebAssembly.Instance(module).exports as unknown as Exports;
const buffer = wasm.memory.buffer;

/** Scratch: a caller fills it, works on it and reads it without giving others a turn. */
export const state = new Uint32Array(buffer, stateAddress, stateWords);
export const words = new Uint32Array(buffer, wordsAddress, chunkWords);
const floats = new Float32Array(buffer, wordsAddress, chunkWords);

const wordBytes = 4;
const addressOf = (word: number): number => wordsAddress + word * wordBytes;
const roundUp = (count: number, multiple: number): number => Math.ceil(count / multiple) * multiple;

/** Replaces `state` by its `times`-th successor, `times` ≥ 1. */
export const advance = (times: number): void => wasm.twist(times);

/** Writes `count` words of `state`, from the word `from` on, tempered, to `words` from `to` on. */
export function temperWords(from: number, to: number, count: number): void {
  const target = addressOf(to);
  const end = target + roundUp(count, 4) * wordBytes;
  wasm.temper(stateAddress + from * wordBytes, target, end);
}

/** The first `count` of `words` as float32 numbers in [from, from + span); replaces `words`. */
export function uniforms(count: number, from: number, span: number): Float32Array {
  wasm.uniform(wordsAddress, addressOf(roundUp(count, 4)), from, span);
  return floats.subarray(0, count);
}

/** The first `count` of `words`, a multiple of 16, as normal float32 numbers; replaces `words`. */
export function normals(count: number, mean: number, std: number): Float32Array {
  const kernel = mean === 0 ? wasm.centredNormal : wasm.normal;
  kernel(wordsAddress, addressOf(count), mean, std);
  return floats.subarray(0, count);
}

const sums = new Float64Array(buffer, extentAddress, 4);
const extremes = new Float32Array(buffer, extentAddress + 32, 8);
const zeroCounts = new Int32Array(buffer, extentAddress + 64, 4);

export interface ChunkExtent {
  /** Of the distances from `shift`, and of their squares. */
  readonly sum: number;
  readonly squares: number;
  /** Of the numbers that are not NaN; where there is one, the sums are. */
  readonly min: number;
  readonly max: number;
  readonly zeros: number;
}

/** Of up to `chunkWords` numbers, at least one; replaces `words`. */
export function chunkExtent(numbers: Float32Array, shift: number): ChunkExtent {
  const { length } = numbers;
  const full = roundUp(length, 4);
  floats.set(numbers);
  // What fills the last vector adds nothing to the sums, and is taken from the zeros again.
  floats.fill(shift, length, full);
  wasm.extent(wordsAddress, addressOf(full), shift);
  const [sum0 = 0, sum1 = 0, squares0 = 0, squares1 = 0] = sums;
  return {
    sum: sum0 + sum1,
    squares: squares0 + squares1,
    min: Math.min(...extremes.subarray(0, 4)),
    max: Math.max(...extremes.subarray(4)),
    zeros: zeroCounts.reduce((a, b) => a + b, 0) - (shift === 0 ? full - length : 0),
  };
}
