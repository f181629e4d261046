/** Images as columns of patches, and back. */
import { invariant, torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { addAlongAxis, padBy, reshapeTo, transpose } from "../../ops/write.ts";
import { ints, tensor } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { type TorchType, typeOf } from "../promotion.ts";
import { rounded, roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { sizeText } from "./matmulErrors.ts";
import { perAxis, spread, windowCount } from "./spatial.ts";

interface PatchArgs {
  readonly kernel_size: readonly number[];
  readonly dilation: readonly number[];
  readonly padding: readonly number[];
  readonly stride: readonly number[];
}

interface Patches {
  readonly kernel: readonly [number, number];
  readonly padding: readonly [number, number];
  readonly counts: readonly [number, number];
  /** Positions along each axis of the padded image: every place of the kernel, in every patch. */
  readonly positions: readonly [readonly number[], readonly number[]];
}

type Two = readonly [number, number];

function patchesOf(sizes: readonly number[], args: PatchArgs): Patches {
  const two = (name: keyof PatchArgs) => spread(name, args[name], 2) as unknown as Two;
  const [kernel, dilation] = [two("kernel_size"), two("dilation")];
  const [padding, stride] = [two("padding"), two("stride")];
  const along = (k: 0 | 1) => {
    const count = windowCount(
      sizes[k] as number,
      kernel[k],
      stride[k],
      padding[k],
      dilation[k],
      false,
    );
    const places = Array.from({ length: kernel[k] * count }, (_, i) => {
      const [tap, patch] = [Math.floor(i / count), i % count];
      return patch * stride[k] + tap * dilation[k];
    });
    return { count, places };
  };
  const [rows, columns] = [along(0), along(1)];
  return {
    kernel,
    padding,
    counts: [rows.count, columns.count],
    positions: [rows.places, columns.places],
  };
}

/** Kernels that are longer than the padded image leave no place for a patch. */
function refuseNoPatches(sizes: readonly number[], args: PatchArgs): void {
  const two = (name: keyof PatchArgs) => spread(name, args[name], 2);
  const [kernel, dilation, padding] = [two("kernel_size"), two("dilation"), two("padding")];
  const counts = two("stride").map((stride, k) => {
    const at = (list: readonly number[]) => list[k] as number;
    const reach = at(dilation) * (at(kernel) - 1) + 1;
    return Math.floor((at(sizes) + 2 * at(padding) - reach) / stride) + 1;
  });
  if (counts.every((count) => count >= 1)) return;
  const shown = (list: readonly number[]) => `(${list.join(", ")})`;
  throw torchError(
    "RuntimeError",
    `Given input with spatial size ${shown(sizes)}, kernel_size=${shown(kernel)}, dilation=${shown(dilation)}, padding=${shown(padding)}, calculated shape of the array of sliding blocks as ${shown(counts)}, but its components must be at least one.`,
  );
}

const params = {
  kernel_size: ints,
  dilation: perAxis(1),
  padding: perAxis(0),
  stride: perAxis(1),
};

/** The value with a batch axis, and the way back. */
function withBatch(ctx: CallContext, input: Tensor, rank: number) {
  const { emit } = ctx;
  const x = ctx.read(input);
  const isBatch = input.shape.length === rank;
  return {
    x: isBatch ? x : reshapeTo(emit, x, [1, ...x.shape]),
    restore: (y: Value) => (isBatch ? y : reshapeTo(emit, y, y.shape.slice(1))),
  };
}

/** [N, C, H, W] → [N, C · kernel, patches] */
export const functionalUnfold = torchCall({
  name: "unfold",
  key: "functional_unfold",
  in: ["torch.nn.functional"],
  params: { input: tensor, ...params },
  build: (ctx, { input, ...args }): Typed => {
    const { emit } = ctx;
    if (input.shape.length !== 3 && input.shape.length !== 4)
      throw torchError(
        "RuntimeError",
        `Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ${sizeText(input.shape)}`,
      );
    refuseKinds("im2col_out_cpu", typeOf(input), ["integer"]);
    const { x, restore } = withBatch(ctx, input, 4);
    const [batch, channels] = x.shape as [number, number];
    refuseNoPatches(x.shape.slice(2), args);
    const { kernel, padding, counts, positions } = patchesOf(x.shape.slice(2), args);
    const sides = [0, 0, ...padding];
    const padded = padBy(emit, x, sides, sides);
    const rows = emit.op("Gather", [padded, emit.ints(positions[0])], { axis: 2 });
    const taps = emit.op("Gather", [rows, emit.ints(positions[1])], { axis: 3 });
    const apart = [batch, channels, kernel[0], counts[0], kernel[1], counts[1]];
    const ordered = transpose(emit, reshapeTo(emit, taps, apart), [0, 1, 2, 4, 3, 5]);
    const shape = [batch, channels * numel(kernel), numel(counts)];
    return { typed: restore(reshapeTo(emit, ordered, shape)), as: input.dtype };
  },
});

/** [N, C · kernel, patches] → [N, C, H, W]: what patches share is summed. */
export const fold = torchCall({
  name: "fold",
  in: ["torch.nn.functional"],
  params: { input: tensor, output_size: ints, ...params },
  build: (ctx, { input, output_size, ...args }): Typed => {
    const { emit } = ctx;
    const sizes = spread("output_size", output_size, 2) as [number, number];
    const { x, restore } = withBatch(ctx, input, 3);
    const { kernel, padding, counts, positions } = patchesOf(sizes, args);
    const [batch, rows, patches] = x.shape as [number, number, number];
    if (patches !== numel(counts))
      throw torchError(
        "RuntimeError",
        `Given an input with spatial size ${sizeText(x.shape)} and output_size=${sizeText(sizes)}, expected input's size 2 to match the number of sliding blocks ${numel(counts)}, but got ${patches}.`,
      );
    const channels = rows / numel(kernel);
    const apart = reshapeTo(emit, x, [batch, channels, ...kernel, ...counts]);
    const taps = transpose(emit, apart, [0, 1, 2, 4, 3, 5]);
    const lines = [kernel[0] * counts[0], kernel[1] * counts[1]];
    const flat = reshapeTo(emit, taps, [batch, channels, ...lines]);
    const [top, left] = padding;
    const put = (part: Value, [rows, columns]: Positions) =>
      added(emit, added(emit, part, 2, rows, sizes[0] + 2 * top), 3, columns, sizes[1] + 2 * left);
    const type = typeOf(input);
    const wide = roundsSteps(type)
      ? sumOfTaps(emit, type, apart, positions, put)
      : put(flat, positions);
    const cut = [0, 0, -top, -left];
    return { typed: restore(padBy(emit, wide, cut, cut)), as: input.dtype };
  },
});

type Positions = readonly [readonly number[], readonly number[]];

/** Half precision is rounded after each place of the kernel: x is [N, C, kernel, counts]. */
function sumOfTaps(
  emit: Emit,
  type: TorchType,
  x: Value,
  [rows, columns]: Positions,
  put: (part: Value, positions: Positions) => Value,
): Value {
  const [height, width, down, across] = x.shape.slice(2) as [number, number, number, number];
  const pick = (of: Value, at: number) =>
    emit.op("Gather", [of, emit.scalar(at, "int64")], { axis: 2 });
  const of = (places: readonly number[], tap: number, count: number) =>
    places.slice(tap * count, (tap + 1) * count);
  let sum: Value | null = null;
  for (let i = 0; i < height; i++)
    for (let j = 0; j < width; j++) {
      const part = put(pick(pick(x, i), j), [of(rows, i, down), of(columns, j, across)]);
      sum = sum === null ? part : rounded(emit, emit.op("Add", [sum, part]), type);
    }
  invariant(sum, "a kernel has a place");
  return sum;
}

const added = (
  emit: Emit,
  x: Value,
  axis: number,
  positions: readonly number[],
  size: number,
): Value => addAlongAxis(emit, x, axis, emit.ints(positions), size);
