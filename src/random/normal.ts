/** `Tensor.normal_` and its relatives. */
import type { Numbers } from "../graph/tensor.ts";
import type { Generator } from "./engine.ts";
import type { FloatType } from "./fill.ts";
import { fillFromUnitDoubles, rounder, unitDouble } from "./fill.ts";
import { fusedMultiplyAdd } from "./fusedMultiplyAdd.ts";
import { normals } from "./kernels.ts";
import { chunkWords } from "./wasm/layout.ts";

/** PyTorch's vectorised kernels compute so many numbers at once, and not fewer. */
const block = 16;

export function nextUnitDouble(gen: Generator): number {
  const [high = 0, low = 0] = gen.draw(2);
  return unitDouble(high, low);
}

/** One standard normal number by Box-Muller in float64; the second of each pair is kept. */
export function scalarNormal(gen: Generator): number {
  const kept = gen.takeNormal();
  if (kept !== null) return kept;
  const turn = nextUnitDouble(gen);
  const radius = Math.sqrt(-2 * Math.log1p(-nextUnitDouble(gen)));
  const angle = 2 * Math.PI * turn;
  gen.keepNormal(radius * Math.sin(angle));
  return radius * Math.cos(angle);
}

/** out[i] = value(xᵢ), xᵢ normal float64. */
function fillFromScalarNormals(
  gen: Generator,
  out: Numbers,
  mean: number,
  std: number,
  value: (x: number) => number,
): void {
  for (let i = 0; i < out.length; i++)
    out[i] = value(fusedMultiplyAdd(scalarNormal(gen), std, mean));
}

/** `count` numbers, a multiple of 16, in each piece that `store` receives. */
function eachNormalChunk(
  gen: Generator,
  count: number,
  mean: number,
  std: number,
  store: (numbers: Float32Array, start: number) => void,
): void {
  for (let start = 0; start < count; start += chunkWords) {
    const size = Math.min(chunkWords, count - start);
    gen.draw(size);
    store(normals(size, mean, std), start);
  }
}

/** Box-Muller in float64 on a block whose 16 uniform numbers are in place. */
function boxMuller(data: Numbers, mean: number, std: number): void {
  for (let j = 0; j < block / 2; j++) {
    const radius = Math.sqrt(-2 * Math.log(1 - (data[j] as number)));
    const angle = 2 * Math.PI * (data[j + block / 2] as number);
    data[j] = fusedMultiplyAdd(radius * Math.cos(angle), std, mean);
    data[j + block / 2] = fusedMultiplyAdd(radius * Math.sin(angle), std, mean);
  }
}

function normalFloat64(gen: Generator, out: Numbers, mean: number, std: number): void {
  fillFromUnitDoubles(gen, out, (u) => u);
  for (let start = 0; start + block <= out.length; start += block)
    boxMuller(out.subarray(start, start + block), mean, std);
  if (out.length % block === 0) return;
  const last = out.subarray(out.length - block);
  fillFromUnitDoubles(gen, last, (u) => u);
  boxMuller(last, mean, std);
}

/**
 * Fewer than 16 numbers come from pairs in float64. From 16 on they are computed in blocks of 16;
 * if 16 does not divide their number, the last 16 are drawn once more. The draws that the rest of
 * the first pass would take are made for float32 and float64, and not for the half types.
 */
export function normal(
  gen: Generator,
  out: Numbers,
  mean: number,
  std: number,
  dtype: FloatType,
): void {
  if (out.length < block) {
    stridedNormal(gen, out, mean, std, dtype);
    return;
  }
  if (dtype === "float64") {
    normalFloat64(gen, out, mean, std);
    return;
  }
  const rest = out.length % block;
  const round = rounder(dtype);
  const store = (numbers: Float32Array, start: number): void => {
    if (dtype === "float32") out.set(numbers, start);
    else for (let i = 0; i < numbers.length; i++) out[start + i] = round(numbers[i] ?? 0);
  };
  eachNormalChunk(gen, out.length - rest, mean, std, store);
  if (rest === 0) return;
  if (dtype === "float32") gen.skip(rest);
  eachNormalChunk(gen, block, mean, std, (numbers) => store(numbers, out.length - block));
}

/** `Tensor.normal_` of a tensor that is not contiguous, in the order of its memory. */
export function stridedNormal(
  gen: Generator,
  out: Numbers,
  mean: number,
  std: number,
  dtype: FloatType,
): void {
  fillFromScalarNormals(gen, out, mean, std, rounder(dtype));
}

/** `Tensor.log_normal_`: exp of normal numbers, all from pairs in float64. */
export function logNormal(
  gen: Generator,
  out: Numbers,
  mean: number,
  std: number,
  dtype: FloatType,
): void {
  const round = rounder(dtype);
  fillFromScalarNormals(gen, out, mean, std, (x) => round(Math.exp(x)));
}

/** Draws of 32 bits that `normal` takes; null below 16 numbers, where it can leave one over. */
export function normalDraws(n: number, dtype: FloatType): number | null {
  if (n < block) return null;
  const rest = n % block;
  const again = rest === 0 ? 0 : block;
  if (dtype === "float64") return 2 * (n + again);
  return dtype === "float32" ? n + again : n - rest + again;
}
