/** torch.nn.functional.pad in all its modes. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { sliceAxis } from "../../ops/write.ts";
import { intTuple, optional, scalar, tensor, text, withDefault } from "../arguments.ts";
import { torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { sizeText } from "./matmulErrors.ts";

/** How many elements come before and after an axis; negative ones are cut off. */
interface Side {
  readonly axis: number;
  readonly before: number;
  readonly after: number;
}

export const pad = torchCall({
  name: "pad",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    pad: intTuple,
    mode: withDefault(text, "constant"),
    value: optional(scalar),
  },
  keepsMask: true,
  saves: ({ mode }) => (mode === "reflect" || mode === "replicate" ? ["input"] : []),
  build: (ctx, { input, pad: given, mode, value }) => {
    const sides = sidesOf(input, given);
    const x = ctx.read(input);
    if (mode === "constant") {
      const filler = ctx.as(value ?? { kind: "int", value: 0 }, input.dtype);
      return { typed: padded(ctx.emit, x, sides, filler), as: input.dtype };
    }
    refuseMode(input, given, mode);
    if (mode !== "circular") {
      const word = mode === "reflect" ? "reflection" : "replication";
      refuseKinds(`${word}_pad${given.length / 2}d`, typeOf(input), ["bool"]);
    }
    if (value !== null && value.value !== 0)
      throw torchError("RuntimeError", `Padding mode "${mode}" doesn't take in value argument`);
    const typed = sides.reduce((y, side) => mirrored(ctx.emit, y, side, mode, input, given), x);
    return { typed, as: input.dtype };
  },
});

/** Pairs from the last axis on. */
function sidesOf(input: Tensor, given: readonly number[]): Side[] {
  const rank = input.shape.length;
  if (given.length % 2 !== 0)
    throw torchError("RuntimeError", "Padding length must be divisible by 2");
  if (given.length > 2 * rank)
    throw torchError(
      "RuntimeError",
      `Padding length should be less than or equal to two times the input dimension but got padding length ${given.length} and input of dimension ${rank}`,
    );
  return Array.from({ length: given.length / 2 }, (_, i) => ({
    axis: rank - 1 - i,
    before: given[2 * i] as number,
    after: given[2 * i + 1] as number,
  }));
}

function padded(emit: Emit, x: Value, sides: readonly Side[], filler: Value): Value {
  const cut = sides.reduce((y, { axis, before, after }) => {
    const size = y.shape[axis] as number;
    return sliceAxis(emit, y, axis, Math.max(0, -before), size + Math.min(0, after));
  }, x);
  const none = x.shape.map(() => 0);
  const [starts, ends] = [[...none], [...none]];
  for (const { axis, before, after } of sides) {
    starts[axis] = Math.max(0, before);
    ends[axis] = Math.max(0, after);
  }
  const pads = [...starts, ...ends];
  if (pads.every((size) => size === 0)) return emit.op("Identity", [cut]);
  return emit.op("Pad", [cut, emit.ints(pads), filler]);
}

const modesOfPadding = `Supported combinations for non-constant padding:
  - 2D or 3D input: padding size = 2 (pads last dimension)
  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)
  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)`;

function refuseMode(input: Tensor, given: readonly number[], mode: string): void {
  if (mode !== "reflect" && mode !== "replicate" && mode !== "circular")
    throw torchError("NotImplementedError", `Unrecognised padding mode ${mode}`);
  const spatial = given.length / 2;
  const rank = input.shape.length;
  if (rank !== spatial + 1 && rank !== spatial + 2)
    throw torchError(
      "NotImplementedError",
      `Padding size ${given.length} is not supported for ${rank}D input tensor.\n${modesOfPadding}`,
    );
}

/** Elements of the axis itself: which, as constant positions. */
function mirrored(
  emit: Emit,
  x: Value,
  { axis, before, after }: Side,
  mode: string,
  input: Tensor,
  given: readonly number[],
): Value {
  const size = x.shape[axis] as number;
  if (mode === "reflect" && (before >= size || after >= size))
    throw torchError(
      "RuntimeError",
      `Argument #${given.length + 2}: Padding size should be less than the corresponding input dimension, but got: padding (${before}, ${after}) at dimension ${axis} of input ${sizeText(input.shape)}`,
    );
  if (mode === "circular") refuseTurns(size, before, after);
  const count = size + before + after;
  if (mode !== "circular" && count < 1)
    throw torchError(
      "RuntimeError",
      `input (size ${size}) is too small. Calculated output size: ${count}`,
    );
  // What is cut off takes no part in a circle.
  const [first, held] = [Math.max(0, -before), size + Math.min(0, before) + Math.min(0, after)];
  const positions = Array.from({ length: count }, (_, i) =>
    mode === "circular"
      ? first + ((((i - Math.max(0, before)) % held) + held) % held)
      : source(i - before, size, mode),
  );
  return emit.op("Gather", [x, emit.ints(positions)], { axis });
}

function refuseTurns(size: number, before: number, after: number): void {
  if (before > size || after > size)
    throw torchError("RuntimeError", "Padding value causes wrapping around more than once.");
  if (size + before + after < 0)
    throw torchError("RuntimeError", "Negative padding value is resulting in an empty dimension");
  const held = size + Math.min(0, before) + Math.min(0, after);
  if (before > held || after > held)
    throw torchError(
      "RuntimeError",
      "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.",
      `Circular padding of (${before}, ${after}) leaves ${Math.max(0, held)} elements to repeat`,
    );
}

function source(at: number, size: number, mode: string): number {
  if (mode === "replicate") return Math.min(Math.max(at, 0), size - 1);
  const within = Math.abs(at);
  return within < size ? within : 2 * (size - 1) - within;
}
