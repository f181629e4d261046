/** Dropout: masks drawn as PyTorch draws them. */
import { torchError } from "../../errors.ts";
import { allocate, type Numbers, numel } from "../../graph/tensor.ts";
import { fill, type Generator, memoryOrder, toRowMajor } from "../../random/generator.ts";
import { bool, float, tensor, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { preservedStrides } from "../layout/strides.ts";
import type { Tensor } from "../tensor.ts";
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
    if (!training || p === 0) return input;
    const x = ctx.read(input);
    const result = ctx.emit.op("Mul", [x, dropoutMask(ctx, input, p)]);
    if (!inplace) return result;
    ctx.store.write(input, result);
    return input;
  },
});

/** 0 or 1 / (1 − p), drawn as PyTorch draws it: bernoulli(1 − p), divided. */
export function dropoutMask(ctx: CallContext, like: Tensor, p: number) {
  const type = like.dtype === "float64" ? "float64" : "float32";
  const { shape } = like;
  const order = memoryOrder(shape, preservedStrides(like));
  const draw = (generator: Generator): Numbers => {
    const numbers = allocate(type, numel(shape));
    if (p >= 1) return numbers;
    fill(generator, "bernoulli", numbers, { p: 1 - p, dtype: like.dtype });
    for (let i = 0; i < numbers.length; i++) numbers[i] = (numbers[i] as number) / (1 - p);
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

const aloneRanks: Readonly<Record<string, number>> = { dropout1d: 2, dropout3d: 4 };

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
    build: (ctx, { input, p, training }) => {
      const rank = input.shape.length;
      if (name === "dropout1d" && rank !== 2 && rank !== 3)
        throw torchError(
          "RuntimeError",
          `dropout1d: Expected 2D or 3D input, but received a ${rank}D input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).`,
        );
      if (!training || p === 0) return input;
      const x = ctx.read(input);
      // One image or line alone has no batch before its channels.
      const isAlone = rank === aloneRanks[name];
      const shape = input.shape.map((size, axis) => (axis < (isAlone ? 1 : 2) ? size : 1));
      const like = unfilled(ctx, shape, { dtype: input.dtype, isComplex: false });
      return ctx.emit.op("Mul", [x, dropoutMask(ctx, like, p)]);
    },
  });
}
