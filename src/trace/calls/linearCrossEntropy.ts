/** Cross-entropy of the logits of a linear layer. */
import { numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo } from "../../ops/write.ts";
import { anything, int, keyword, optional, tensor, text, withDefault } from "../arguments.ts";
import { type Typed, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import { smoothing } from "./classes.ts";
import { crossEntropy } from "./crossEntropy.ts";
import { affine } from "./matrices.ts";

/** The weight has the classes first, then what else each sample is classified by. */
export const linearCrossEntropy = torchCall({
  name: "linear_cross_entropy",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    linear_weight: tensor,
    target: tensor,
    linear_bias: keyword(optional(tensor)),
    weight: keyword(optional(tensor)),
    reduction: keyword(withDefault(text, "mean")),
    ignore_index: keyword(optional(int)),
    label_smoothing: smoothing,
    options: keyword(optional(anything)),
  },
  savesFor: {
    input: ["linear_weight", "target", "weight"],
    linear_weight: ["input", "target", "weight"],
    linear_bias: ["target", "weight"],
  },
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const { input, linear_weight, linear_bias, target, weight } = args;
    const type = typeOf(input);
    const outer = linear_weight.shape.slice(0, -1);
    const features = linear_weight.shape.at(-1) as number;
    const matrix = reshapeTo(emit, ctx.as(linear_weight, type), [numel(outer), features]);
    const bias = linear_bias && reshapeTo(emit, ctx.as(linear_bias, type), [numel(outer)]);
    const flat = affine(emit, ctx.as(input, type), matrix, bias);
    const shape = [...input.shape.slice(0, -1), ...outer];
    const value = castTo(emit, reshapeTo(emit, flat, shape), input.dtype);
    return crossEntropy.build(ctx, {
      input: ctx.store.fromValue(value, false),
      target,
      weight,
      size_average: null,
      reduce: null,
      reduction: args.reduction,
      ignore_index: args.ignore_index ?? -100,
      label_smoothing: args.label_smoothing,
    }) as Typed;
  },
});
