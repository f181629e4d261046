/** What convolutions and pools share: sizes for each spatial axis, inputs without a batch, types without kernels. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { type DType, isFloat } from "../../graph/tensor.ts";
import { castTo, reshapeTo } from "../../ops/write.ts";
import { int, ints, optional, type Param, withDefault } from "../arguments.ts";
import type { CallContext, Namespace } from "../call.ts";
import type { Tensor } from "../tensor.ts";
import { sizeText } from "./matmulErrors.ts";

export const perAxis = (value: number): Param<readonly number[]> => withDefault(ints, [value]);
export const maybePerAxis: Param<readonly number[] | null> = optional(ints);
export const count = withDefault(int, 1);

/** torch itself has the pools of one axis, and all that take maxima. */
export const poolNamespaces = (name: string): readonly Namespace[] =>
  /^max_pool|1d$/.test(name) ? ["torch", "torch.nn.functional"] : ["torch.nn.functional"];

/** One number for each spatial axis, where one is given for all. */
export function spread(name: string, given: readonly number[], rank: number): number[] {
  if (given.length === 1) return new Array<number>(rank).fill(given[0] as number);
  if (given.length !== rank)
    throw torchError(
      "RuntimeError",
      `expected ${name} to be a single integer value or a list of ${rank} values to match the convolution dimensions, but got ${name}=${sizeText(given)}`,
    );
  return [...given];
}

/** The value as [N, C, …] of `rank` spatial axes, in the type that is computed in, and the way back. */
export function batched(
  ctx: CallContext,
  input: Tensor,
  name: string,
  rank: number,
  numbers: DType = input.dtype === "float64" ? "float64" : "float32",
): { x: Value; restore: (y: Value) => Value } {
  const { emit } = ctx;
  const found = input.shape.length;
  if (found !== rank + 1 && found !== rank + 2)
    throw torchError(
      "RuntimeError",
      `Expected ${rank + 1}D (unbatched) or ${rank + 2}D (batched) input to ${name}, but got input of size: ${sizeText(input.shape)}`,
    );
  const x = castTo(emit, ctx.read(input), numbers);
  const isBatch = found === rank + 2;
  return {
    x: isBatch ? x : reshapeTo(emit, x, [1, ...input.shape]),
    restore: (y) => restored(emit, isBatch ? y : reshapeTo(emit, y, y.shape.slice(1)), input),
  };
}

/** Integers come back from the kernels' type; places stay what they are. */
const restored = (emit: Emit, y: Value, input: Tensor): Value =>
  isFloat(input.dtype) ? y : castTo(emit, y, input.dtype);

/** How many windows fit along an axis; rounded up, the last one begins within the input. */
export function windowCount(
  size: number,
  kernel: number,
  stride: number,
  padding: number,
  dilation: number,
  roundUp: boolean,
): number {
  const room = size + 2 * padding - dilation * (kernel - 1) - 1;
  if (!roundUp) return Math.floor(room / stride) + 1;
  const windows = Math.ceil(room / stride) + 1;
  return (windows - 1) * stride >= size + padding ? windows - 1 : windows;
}
