/** Dropout: masks drawn as PyTorch draws them. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { allocate, type Numbers, numel } from "../../graph/tensor.ts";
import { roundTo } from "../../ops/kernels/round.ts";
import { castTo } from "../../ops/write.ts";
import { fill, type Generator, memoryOrder, toRowMajor } from "../../random/generator.ts";
import { bool, float, tensor, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { preservedStrides } from "../layout/strides.ts";
import { refuseEdit } from "../refusals.ts";
import type { Tensor } from "../tensor.ts";
import { reshaped } from "../views.ts";
import { unfilled } from "./random.ts";

/** Zeroes with probability p and scales the rest by 1 / (1 − p). In training only. */
export const dropout = torchCall({
  name: "dropout",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    p: withDefault(float, 0.5),
    training: withDefault(bool, true),
    inplace: withDefault(bool, false),
  },
  build: (ctx, { input, p, training, inplace }) => {
    if (p < 0 || p > 1)
      throw torchError("ValueError", `dropout probability has to be between 0 and 1, but got ${p}`);
    ctx.noteDropout(input, p);
    if (!training || p === 0 || numel(input.shape) === 0) return input;
    const make = () => ctx.emit.op("Mul", [ctx.read(input), dropoutMask(ctx, input, p)]);
    return inplace ? writtenOver(ctx, input, make) : make();
  },
});

function writtenOver(ctx: CallContext, input: Tensor, make: () => Value): Tensor {
  const result = castTo(ctx.emit, make(), input.dtype);
  // PyTorch has drawn by then.
  refuseEdit(ctx.store, input, []);
  ctx.store.write(input, result);
  return input;
}

/** 0 or 1 / (1 − p) as the type holds it, drawn as PyTorch draws it: bernoulli(1 − p), divided. */
export function dropoutMask(ctx: CallContext, like: Tensor, p: number) {
  const type = like.dtype === "float64" ? "float64" : "float32";
  const { shape } = like;
  const order = memoryOrder(shape, preservedStrides(like));
  const draw = (generator: Generator): Numbers => {
    const numbers = allocate(type, numel(shape));
    if (p >= 1) return numbers;
    fill(generator, "bernoulli", numbers, { p: 1 - p, dtype: like.dtype });
    for (let i = 0; i < numbers.length; i++) numbers[i] = (numbers[i] as number) / (1 - p);
    roundTo(like.dtype, numbers);
    return toRowMajor(numbers, type, shape, order);
  };
  if (ctx.countsOnly)
    return ctx.emit.constant({ dtype: type, shape, data: allocate(type, numel(shape)) });
  return ctx.drawn({ dtype: type, shape }, draw(ctx.generator), draw);
}

export const dropout1d = channelDropout("dropout1d");
export const dropout2d = channelDropout("dropout2d");
export const dropout3d = channelDropout("dropout3d");
export const featureDropout = channelDropout("feature_dropout");

const batchRanks: Readonly<Record<string, number>> = { dropout1d: 3, dropout3d: 5 };

/** Drops whole channels: one draw for each of the first two axes. */
function channelDropout(name: string) {
  return torchCall({
    name,
    in: ["torch.nn.functional"],
    params: {
      input: tensor,
      p: withDefault(float, 0.5),
      training: withDefault(bool, true),
      inplace: withDefault(bool, false),
    },
    build: (ctx, { input, p, training, inplace }) => {
      const rank = input.shape.length;
      if (name === "dropout1d" && rank !== 2 && rank !== 3)
        throw torchError(
          "RuntimeError",
          `dropout1d: Expected 2D or 3D input, but received a ${rank}D input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).`,
        );
      const isAlone = name in batchRanks && rank !== batchRanks[name];
      // What has no batch before its channels is given one, and loses it again: two edits of the shape.
      if (isAlone && inplace) {
        refuseEdit(ctx.store, input, []);
        input.version.count += 2;
      }
      if (!training || p === 0 || numel(input.shape) === 0)
        return isAlone && !inplace ? reshaped(ctx.store, input, input.shape, input.strides) : input;
      const shape = input.shape.map((size, axis) => (axis < (isAlone ? 1 : 2) ? size : 1));
      const like = unfilled(ctx, shape, { dtype: input.dtype, isComplex: false });
      const make = () => ctx.emit.op("Mul", [ctx.read(input), dropoutMask(ctx, like, p)]);
      return inplace ? writtenOver(ctx, input, make) : make();
    },
  });
}
