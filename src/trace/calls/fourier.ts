/** Discrete Fourier transforms along the last axis: products with constant matrices, whose gradients are products too. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, type DType, type HostArray, numel } from "../../graph/tensor.ts";
import { reshapeTo, sliceAxis, transpose } from "../../ops/write.ts";
import { complexMultiply, pair, parts } from "./complexNumbers.ts";
import { sharedConstant } from "./sharedConstants.ts";

/** −1: forward, e^(−2πi jk/n); 1: inverse. */
export type Direction = -1 | 1;

/** A transform of n numbers, each result times `scale`. */
export interface Transform {
  readonly n: number;
  readonly direction: Direction;
  readonly scale: number;
}

/** Up to here one matrix: its product costs less than the steps of a split. */
const directLimit = 256;
/** A prime length has no split; its matrix has 16 n² bytes. */
const primeLimit = 2048;

/** x[…, L] real → [… , bins, 2]; missing numbers are 0, surplus ones cut off. */
export function ofReal(emit: Emit, x: Value, transform: Transform, bins: number): Value {
  const { n, direction } = transform;
  // PyTorch turns a forward transform over: zeros of the imaginary part are negative then.
  if (direction === 1) {
    const forward = ofReal(emit, x, { ...transform, direction: -1 }, bins);
    const data = allocate(x.dtype, 2);
    data.set([1, -1] as never);
    return emit.op("Mul", [forward, emit.constant({ dtype: x.dtype, shape: [2], data })]);
  }
  const given = cut(emit, x, x.shape.length - 1, n);
  const lead = given.shape.slice(0, -1);
  const length = given.shape.at(-1) as number;
  if (isDirect(n)) {
    const matrix = realMatrix(emit, x.dtype, transform, length, bins);
    return reshapeTo(emit, product(emit, given, matrix), [...lead, bins, 2]);
  }
  const full = padded(emit, given, given.shape.length - 1, n);
  const zero = emit.op("Mul", [full, emit.scalar(0, x.dtype)]);
  return cut(emit, ofPairs(emit, pair(emit, full, zero), transform), lead.length, bins);
}

/** z[…, L, 2] → […, n, 2] */
export function ofPairs(emit: Emit, z: Value, transform: Transform): Value {
  const { n } = transform;
  const axis = z.shape.length - 2;
  const given = cut(emit, z, axis, n);
  const lead = given.shape.slice(0, -2);
  const length = given.shape[axis] as number;
  // One number is its own spectrum, whatever the norm; a product would lose the sign of its zeros.
  if (n === 1 && length === 1) return emit.op("Identity", [given]);
  if (!isDirect(n)) return split(emit, padded(emit, given, axis, n), transform);
  const matrix = pairMatrix(emit, z.dtype, transform, length);
  const flat = reshapeTo(emit, given, [...lead, length * 2]);
  return reshapeTo(emit, product(emit, flat, matrix), [...lead, n, 2]);
}

/** The first half of a spectrum […, bins, 2] whose other half is its mirror → […, n] real. */
export function toReal(emit: Emit, z: Value, transform: Transform): Value {
  const { n } = transform;
  const axis = z.shape.length - 2;
  const bins = Math.floor(n / 2) + 1;
  const given = cut(emit, z, axis, bins);
  const lead = given.shape.slice(0, -2);
  const length = given.shape[axis] as number;
  if (isDirect(n)) {
    const matrix = mirrorMatrix(emit, z.dtype, transform, length);
    return product(emit, reshapeTo(emit, given, [...lead, length * 2]), matrix);
  }
  const half = padded(emit, given, axis, bins);
  const inner = sliceAxis(emit, half, axis, 1, n - bins + 1);
  const [re, im] = parts(emit, reversed(emit, inner, axis));
  const mirror = pair(emit, re, emit.op("Neg", [im]));
  const full = emit.op("Concat", [half, mirror], { axis });
  return parts(emit, ofPairs(emit, full, transform))[0];
}

function reversed(emit: Emit, x: Value, axis: number): Value {
  const one = (value: number) => emit.ints([value]);
  return emit.op("Slice", [x, one(-1), one(Number.MIN_SAFE_INTEGER), one(axis), one(-1)]);
}

const cut = (emit: Emit, x: Value, axis: number, size: number): Value =>
  (x.shape[axis] as number) > size ? sliceAxis(emit, x, axis, 0, size) : x;

function padded(emit: Emit, x: Value, axis: number, size: number): Value {
  const missing = size - (x.shape[axis] as number);
  if (missing === 0) return x;
  const none = x.shape.map(() => 0);
  return emit.op("Pad", [x, emit.ints([...none, ...none.with(axis, missing)])]);
}

function product(emit: Emit, x: Value, matrix: Value): Value {
  const lead = x.shape.slice(0, -1);
  const rows = reshapeTo(emit, x, [numel(lead), x.shape.at(-1) as number]);
  return reshapeTo(emit, emit.op("MatMul", [rows, matrix]), [...lead, matrix.shape[1] as number]);
}

const isDirect = (n: number): boolean => n <= directLimit || factorOf(n) === 1;

/** The largest factor that is not above the root. */
function factorOf(n: number): number {
  let factor = Math.floor(Math.sqrt(n));
  while (n % factor !== 0) factor--;
  if (factor === 1 && n > primeLimit)
    throw torchError(
      "UnsupportedCall",
      `a Fourier transform of ${n} numbers is not supported: it is a prime above ${primeLimit}`,
      "Pad to a length with small factors",
    );
  return factor;
}

/**
 * Cooley and Tukey: n = a · b numbers as a table [a, b]; transforms down the columns, a turn of each
 * entry, transforms along the rows, and the table read column by column.
 */
function split(emit: Emit, z: Value, { n, direction, scale }: Transform): Value {
  const a = factorOf(n);
  const b = n / a;
  const lead = z.shape.slice(0, -2);
  const rows = numel(lead);
  const table = reshapeTo(emit, z, [rows, a, b, 2]);
  const swap = (x: Value) => transpose(emit, x, [0, 2, 1, 3]);
  const columns = ofPairs(emit, swap(table), { n: a, direction, scale: 1 });
  const turned = complexMultiply(emit, columns, turns(emit, z.dtype, a, b, direction));
  const along = ofPairs(emit, swap(turned), { n: b, direction, scale });
  return reshapeTo(emit, swap(along), [...lead, n, 2]);
}

/** e^(±2πi jk/n) for j < b, k < a. */
function turns(emit: Emit, dtype: DType, a: number, b: number, direction: Direction): Value {
  const key = `turns ${dtype} ${a} ${b} ${direction}`;
  return sharedConstant(emit, key, () => {
    const n = a * b;
    return matrixOf(dtype, [b, a, 2], (write) => {
      for (let j = 0; j < b; j++)
        for (let k = 0; k < a; k++) {
          const [cos, sin] = rootOf(j * k, n);
          write(cos, direction * sin);
        }
    });
  });
}

/** cos and sin of 2π·m/n, exact at quarter turns. */
function rootOf(m: number, n: number): [number, number] {
  const turn = (m % n) / n;
  const quarter = Math.round(turn * 4);
  const rest = 2 * Math.PI * (turn - quarter / 4);
  const [cos, sin] = [Math.cos(rest), Math.sin(rest)];
  switch (quarter % 4) {
    case 1:
      return [-sin, cos];
    case 2:
      return [-cos, -sin];
    case 3:
      return [sin, -cos];
    default:
      return [cos, sin];
  }
}

function matrixOf(
  dtype: DType,
  shape: readonly number[],
  fill: (write: (...numbers: number[]) => void) => void,
): HostArray {
  const data = allocate(dtype, numel(shape));
  let at = 0;
  fill((...numbers) => {
    for (const x of numbers) data[at++] = x;
  });
  return { dtype, shape, data };
}

const keyOf = (kind: string, dtype: DType, { n, direction, scale }: Transform, size: number) =>
  `fourier ${kind} ${dtype} ${n} ${direction} ${scale} ${size}`;

/** [length, bins · 2]: row j has the pairs of e^(±2πi jk/n). */
function realMatrix(
  emit: Emit,
  dtype: DType,
  transform: Transform,
  length: number,
  bins: number,
): Value {
  const { n, direction, scale } = transform;
  return sharedConstant(emit, `${keyOf("real", dtype, transform, length)} ${bins}`, () =>
    matrixOf(dtype, [length, bins * 2], (write) => {
      for (let j = 0; j < length; j++)
        for (let k = 0; k < bins; k++) {
          const [cos, sin] = rootOf(j * k, n);
          write(scale * cos, scale * direction * sin);
        }
    }),
  );
}

/** [length · 2, n · 2]: each factor c + si as [[c, s], [−s, c]]. */
function pairMatrix(emit: Emit, dtype: DType, transform: Transform, length: number): Value {
  const { n, direction, scale } = transform;
  return sharedConstant(emit, keyOf("pairs", dtype, transform, length), () =>
    matrixOf(dtype, [length * 2, n * 2], (write) => {
      for (let j = 0; j < length; j++)
        for (const part of [0, 1])
          for (let k = 0; k < n; k++) {
            const [cos, sin] = rootOf(j * k, n);
            const [c, s] = [scale * cos, scale * direction * sin];
            if (part === 0) write(c, s);
            else write(-s, c);
          }
    }),
  );
}

/** [length · 2, n]: bins other than the first and the middle one count twice, for their mirror. */
function mirrorMatrix(emit: Emit, dtype: DType, transform: Transform, length: number): Value {
  const { n, direction, scale } = transform;
  return sharedConstant(emit, keyOf("mirror", dtype, transform, length), () =>
    matrixOf(dtype, [length * 2, n], (write) => {
      for (let k = 0; k < length; k++) {
        const weight = scale * (k === 0 || k * 2 === n ? 1 : 2);
        for (const part of [0, 1])
          for (let j = 0; j < n; j++) {
            const [cos, sin] = rootOf(j * k, n);
            write(part === 0 ? weight * cos : -weight * direction * sin);
          }
      }
    }),
  );
}
