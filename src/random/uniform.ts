/** `Tensor.uniform_`. */
import type { Numbers } from "../graph/tensor.ts";
import type { Generator } from "./engine.ts";
import type { FloatType } from "./fill.ts";
import { fillFromUnitDoubles, rounder } from "./fill.ts";
import { fusedMultiplyAdd } from "./fusedMultiplyAdd.ts";
import { uniforms } from "./kernels.ts";
import { nextUnitDouble } from "./normal.ts";
import { chunkWords } from "./wasm/layout.ts";

/** The interval excludes `to`: where rounding reaches it, PyTorch puts `from`. */
function replaceUpper(numbers: Numbers, upper: number, lower: number): void {
  let i = numbers.indexOf(upper);
  while (i >= 0) {
    numbers[i] = lower;
    i = numbers.indexOf(upper, i + 1);
  }
}

/** The largest numbers of the types, and the names that PyTorch's messages have for them. */
const limits: Readonly<Record<FloatType, readonly [max: number, inC: string, name: string]>> = {
  float64: [Number.MAX_VALUE, "double", "Double"],
  float32: [(2 - 2 ** -23) * 2 ** 127, "float", "Float"],
  float16: [65504, "c10::Half", "Half"],
  bfloat16: [(2 - 2 ** -7) * 2 ** 127, "c10::BFloat16", "BFloat16"],
};

/** What PyTorch's RuntimeError says of bounds that it refuses. */
export function uniformProblem(from: number, to: number, dtype: FloatType): string | null {
  const [max, inC, name] = limits[dtype];
  const isInside = (bound: number): boolean => Math.abs(bound) <= max;
  if (!isInside(from)) return `from is out of bounds for ${inC}`;
  if (!isInside(to)) return `to is out of bounds for ${inC}`;
  if (from > to)
    return `uniform_ expects to return a [from, to) range, but found from=${from} > to=${to}`;
  if (isInside(to - from)) return null;
  return (
    `uniform_ expects to-from <= std::numeric_limits<${name}>::max(), ` +
    `but found to=${to} and from=${from} which result in to-from to exceed the limit`
  );
}

/** u·(to − from) + from, rounded once, with u of 24 bits (float64: of 53 bits, from two draws). */
export function uniform(
  gen: Generator,
  out: Numbers,
  from: number,
  to: number,
  dtype: FloatType,
): void {
  if (dtype === "float64") {
    fillFromUnitDoubles(gen, out, (u) => fusedMultiplyAdd(u, to - from, from));
    if (from < to) replaceUpper(out, to, from);
    return;
  }
  const low = Math.fround(from);
  const span = Math.fround(Math.fround(to) - low);
  const round = rounder(dtype);
  const [lower, upper] = [round(from), round(to)];
  for (let start = 0; start < out.length; start += chunkWords) {
    const count = Math.min(chunkWords, out.length - start);
    gen.draw(count);
    const numbers = uniforms(count, low, span);
    if (dtype !== "float32") for (let i = 0; i < count; i++) numbers[i] = round(numbers[i] ?? 0);
    if (lower < upper) replaceUpper(numbers, upper, lower);
    out.set(numbers, start);
  }
}

/** Slopes of `rrelu` in training: 1 where the input is positive, elsewhere uniform in [lower, upper). */
export function rreluSlopes(
  gen: Generator,
  out: Numbers,
  input: Numbers,
  lower: number,
  upper: number,
  dtype: FloatType,
): void {
  const round = rounder(dtype);
  for (let i = 0; i < out.length; i++)
    out[i] = (input[i] as number) <= 0 ? round(nextUnitDouble(gen) * (upper - lower) + lower) : 1;
}
