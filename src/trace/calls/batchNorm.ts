/** Normalisation of channels (axis 1): over groups of them, or over a batch. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { type DType, isHalf, numel } from "../../graph/tensor.ts";
import { castTo, expandTo, reshapeTo } from "../../ops/write.ts";
import { bool, float, int, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Result, type Typed, torchCall } from "../call.ts";
import { inGradMode } from "../passThrough.ts";
import { rounded } from "../rounding.ts";
import { isContiguous, type Tensor } from "../tensor.ts";
import { countOver, inverseRoot, normalizedOver } from "./batchMoments.ts";
import { needFloatKernel } from "./curves.ts";
import { refuseGradientOf } from "./derivatives.ts";
import { sizeOf } from "./matmul.ts";
import { sizeText } from "./matmulErrors.ts";
import {
  besideInput,
  heldInHalf,
  layerNormalized,
  normalFromHeld,
  refuseMixedTypes,
} from "./norm.ts";
import { pairsNormalized } from "./pairNorm.ts";
import { viewAs } from "./shape.ts";

const functional = ["torch", "torch.nn.functional"] as const;

/** A value of one number a channel, under the rank of what it scales. */
function perChannel(ctx: CallContext, parameter: Tensor, input: Tensor): Value {
  const spatial = input.shape.slice(2).map(() => 1);
  return reshapeTo(ctx.emit, besideInput(ctx, parameter, input), [
    parameter.shape[0] as number,
    ...spatial,
  ]);
}

function scaleAndShift(
  ctx: CallContext,
  input: Tensor,
  normal: Value,
  weight: Tensor | null,
  bias: Tensor | null,
): Typed {
  const { emit } = ctx;
  const scaled = weight ? emit.op("Mul", [normal, perChannel(ctx, weight, input)]) : normal;
  const shifted = bias ? emit.op("Add", [scaled, perChannel(ctx, bias, input)]) : scaled;
  return { typed: shifted, as: input.dtype };
}

/** Wu and He 2018, https://arxiv.org/abs/1803.08494 */
export const groupNorm = torchCall({
  name: "group_norm",
  in: functional,
  params: {
    input: tensor,
    num_groups: int,
    weight: optional(tensor),
    bias: optional(tensor),
    eps: withDefault(float, 1e-5),
    cudnn_enabled: withDefault(bool, true),
  },
  saves: ["input", "weight"],
  build: (ctx, args) => {
    const { input, num_groups, weight, bias, eps } = args;
    const channels = input.shape[1] ?? 1;
    if (channels % num_groups !== 0)
      throw torchError(
        "RuntimeError",
        `Expected number of channels in input to be divisible by num_groups, but got input of shape ${sizeText(input.shape)} and num_groups=${num_groups}`,
      );
    refuseSingle(input, num_groups);
    for (const [name, parameter] of [["weight", weight] as const, ["bias", bias] as const])
      if (parameter && parameter.shape[0] !== channels)
        throw torchError(
          "RuntimeError",
          `Expected ${name} to be a vector of size equal to the number of channels in input, but got ${name} of shape ${sizeText(parameter.shape)} and input of shape ${sizeText(input.shape)}`,
        );
    needFloatKernel("GroupNormKernelImpl", input);
    refuseMixedTypes(input, [weight, bias]);
    if (numel(input.shape.slice(2)) === 0)
      throw torchError("RuntimeError", "Expected HxW to be greater than 0, got 0");
    const held = heldInHalf(input, [weight, bias]);
    const normal = groupsNormalized(ctx, input, num_groups, eps, held);
    const scaled = held && weight ? scaledByHeld(ctx, { ...args, weight }, normal, held) : normal;
    return scaleAndShift(ctx, input, scaled, held ? null : weight, bias);
  },
});

/** normal · weight, whose gradient by the weight has the moments that half precision keeps. */
function scaledByHeld(
  ctx: CallContext,
  args: {
    readonly input: Tensor;
    readonly weight: Tensor;
    readonly num_groups: number;
    readonly eps: number;
  },
  normal: Value,
  held: DType,
): Value {
  const { input, num_groups, eps } = args;
  const scale = perChannel(ctx, args.weight, input);
  const rows = groupRows(ctx, input, num_groups);
  const [scaled] = ctx.emit.grouped(
    [normal, scale],
    () => [ctx.emit.op("Mul", [normal, scale])],
    (backward, [d]) => {
      if (!d) return [null];
      const seen = normalFromHeld(backward, rows, { axes: 1, eps, held, type: input.dtype });
      const byWeight = backward.op("Mul", [d, reshapeTo(backward, seen, input.shape)]);
      return [backward.op("Mul", [d, scale]), byWeight];
    },
  );
  return scaled as Value;
}

/** Each group of a sample as a row. */
function groupRows(ctx: CallContext, input: Tensor, groups: number): Value {
  const [batch = 1, ...rest] = input.shape;
  return reshapeTo(ctx.emit, ctx.read(input), [batch, groups, numel(rest) / groups]);
}

function refuseSingle(input: Tensor, groups: number): void {
  const [batch = 1, channels = 1, ...spatial] = input.shape;
  if ((batch * channels * numel(spatial)) / groups === 1)
    throw torchError(
      "ValueError",
      `Expected more than 1 value per channel when training, got input size ${sizeText([(batch * channels) / groups, groups, ...spatial])}`,
    );
}

function groupsNormalized(
  ctx: CallContext,
  input: Tensor,
  groups: number,
  eps: number,
  held: DType | null,
): Value {
  const { emit } = ctx;
  const rows = groupRows(ctx, input, groups);
  return reshapeTo(
    emit,
    layerNormalized(emit, rows, null, null, { axes: 1, eps, held, type: input.dtype }),
    input.shape,
  );
}

const batchParams = {
  input: tensor,
  running_mean: optional(tensor),
  running_var: optional(tensor),
  weight: optional(tensor),
  bias: optional(tensor),
};

interface BatchArgs {
  readonly input: Tensor;
  readonly running_mean: Tensor | null;
  readonly running_var: Tensor | null;
  readonly weight: Tensor | null;
  readonly bias: Tensor | null;
}

/** Ioffe and Szegedy 2015, https://arxiv.org/abs/1502.03167 */
export const batchNorm = torchCall({
  name: "batch_norm",
  in: functional,
  params: {
    ...batchParams,
    training: withDefault(bool, false),
    momentum: withDefault(float, 0.1),
    eps: withDefault(float, 1e-5),
  },
  saves: ({ input }) =>
    numel(input.shape) === 0 ? ["weight"] : ["input", "weight", "running_mean", "running_var"],
  build: (ctx, { training, momentum, eps, ...args }) => {
    const { input } = args;
    const [batch = 1, , ...spatial] = input.shape;
    if (training && batch * numel(spatial) === 1)
      throw torchError(
        "ValueError",
        `Expected more than 1 value per channel when training, got input size ${sizeOf(input)}`,
      );
    refuseChannels(args, training);
    needFloatKernel("batch_norm", input);
    refuseMixedTypes(input, parametersOf(args));
    if (input.shape.length < 2)
      return { typed: ctx.emit.op("Identity", [ctx.read(input)]), as: input.dtype };
    refuseRunningGradients(ctx, args);
    if (training) return byBatch(ctx, args, momentum, eps);
    return scaleAndShift(ctx, input, byRunning(ctx, args, eps), args.weight, args.bias);
  },
});

function refuseChannels(args: BatchArgs, training: boolean): void {
  const channels = args.input.shape[1] ?? 0;
  for (const name of ["running_mean", "running_var"] as const)
    if (!training && args[name] === null)
      throw torchError("RuntimeError", `${name} must be defined in evaluation mode`);
  if ((args.running_mean === null) !== (args.running_var === null))
    throw torchError(
      "ValueError",
      "running_mean and running_var must either both be None or neither be None",
    );
  for (const name of ["running_mean", "running_var", "weight", "bias"] as const) {
    const found = args[name]?.shape[0];
    if (found !== undefined && found !== channels)
      throw torchError("RuntimeError", `${name} should contain ${channels} elements not ${found}`);
  }
}

function byRunning(ctx: CallContext, args: BatchArgs, eps: number): Value {
  const { emit } = ctx;
  const { input, running_mean, running_var } = args;
  const x = ctx.read(input);
  if (running_mean === null || running_var === null) return x;
  const centred = emit.op("Sub", [x, perChannel(ctx, running_mean, input)]);
  return emit.op("Mul", [centred, inverseRoot(ctx.emit, perChannel(ctx, running_var, input), eps)]);
}

/** The type that the batch's moments are kept in: that of the parameters, or of the input. */
const heldType = (args: BatchArgs): DType =>
  parametersOf(args).find((given) => given !== null)?.dtype ?? args.input.dtype;

const parametersOf = ({
  weight,
  bias,
  running_mean,
  running_var,
}: BatchArgs): (Tensor | null)[] => [weight, bias, running_mean, running_var];

/** By the batch's own moments, which move the running ones on. */
function byBatch(ctx: CallContext, args: BatchArgs, momentum: number, eps: number): Typed {
  const { input, weight, bias } = args;
  const x = ctx.read(input);
  const axes = x.shape.flatMap((_, axis) => (axis === 1 ? [] : [axis]));
  const count = countOver(x, axes);
  const move = (mean: Value, squares: Value) => {
    moveOn(ctx, args.running_mean, mean, momentum);
    moveOn(ctx, args.running_var, squares, momentum, count - 1);
  };
  if (ofPairs(args, count)) {
    const { y, mean, squares } = pairsNormalized(ctx, { ...scales(ctx, args), x, axes, eps });
    move(mean, squares);
    return { typed: y, as: input.dtype };
  }
  const { normal, mean, squares } = normalizedOver(ctx.emit, x, axes, heldType(args), eps);
  move(mean, squares);
  return scaleAndShift(ctx, input, normal, weight, bias);
}

const ofPairs = ({ input }: BatchArgs, count: number): boolean =>
  count === 2 && input.dtype === "float32";

const scales = (ctx: CallContext, { input, weight, bias }: BatchArgs) => ({
  weight: weight && perChannel(ctx, weight, input),
  bias: bias && perChannel(ctx, bias, input),
});

/** running ← (1 − momentum) · running + momentum · seen / count, unseen by autograd. */
function moveOn(
  ctx: CallContext,
  running: Tensor | null,
  seen: Value,
  momentum: number,
  count = 1,
): void {
  if (running === null) return;
  const { emit } = ctx;
  inGradMode(emit, false, () => {
    const old = ctx.as(running, running.dtype);
    // PyTorch's formula for bfloat16 has factors and sums of that type.
    const to = (x: Value) => (running.dtype === "bfloat16" ? rounded(emit, x, "bfloat16") : x);
    const times = (x: Value, y: number) => emit.op("Mul", [x, to(emit.scalar(y, x.dtype))]);
    const each = reshapeTo(emit, seen, running.shape);
    const fresh = count === 1 ? each : to(emit.op("Div", [each, emit.scalar(count, each.dtype)]));
    const added = times(fresh, momentum);
    const moved = emit.op("Add", [to(times(old, 1 - momentum)), count === 1 ? to(added) : added]);
    const version = running.version.count;
    ctx.store.write(running, castTo(emit, moved, running.dtype));
    // The kernel edits them, which PyTorch does not count.
    running.version.count = version;
  });
}

/** The running moments by the means, over the samples, of each one's own moments. */
function moveOnByMeans(ctx: CallContext, args: BatchArgs, momentum: number): void {
  if (args.running_mean === null && args.running_var === null) return;
  const { emit } = ctx;
  const x = ctx.read(args.input);
  const axes = x.shape.flatMap((_, axis) => (axis < 2 ? [] : [axis]));
  const count = numel(x.shape.slice(2));
  const mean = emit.op("ReduceMean", [x, emit.ints(axes)], { keepdims: 1 });
  const centred = emit.op("Sub", [x, mean]);
  const squares = emit.op("ReduceSumSquare", [centred, emit.ints(axes)], { keepdims: 1 });
  const overSamples = (y: Value) => emit.op("ReduceMean", [y, emit.ints([0])], { keepdims: 0 });
  moveOn(ctx, args.running_mean, overSamples(mean), momentum);
  moveOn(ctx, args.running_var, overSamples(squares), momentum, count - 1);
}

function refuseRunningGradients(ctx: CallContext, args: BatchArgs): void {
  refuseGradientOf(ctx, "native_batch_norm", "running_mean", args.running_mean);
  refuseGradientOf(ctx, "native_batch_norm", "running_var", args.running_var);
}

/** Each channel of each sample by itself. */
export const instanceNorm = torchCall({
  name: "instance_norm",
  in: functional,
  params: {
    ...batchParams,
    use_input_stats: withDefault(bool, true),
    momentum: withDefault(float, 0.1),
    eps: withDefault(float, 1e-5),
    cudnn_enabled: withDefault(bool, true),
  },
  // The weight is repeated for each sample.
  saves: ({ input }) => (isContiguous(input.shape, input.strides) ? ["input"] : []),
  build: (ctx, { use_input_stats, momentum, eps, ...args }) => {
    const { input, weight, bias } = args;
    needFloatKernel("batch_norm", input);
    refuseMixedTypes(input, parametersOf(args));
    refuseRunningGradients(ctx, args);
    if (!use_input_stats) return scaleAndShift(ctx, input, byRunning(ctx, args, eps), weight, bias);
    if (numel(input.shape.slice(2)) === 1)
      throw torchError(
        "ValueError",
        `Expected more than 1 spatial element when training, got input size ${sizeOf(input)}`,
      );
    moveOnByMeans(ctx, args, momentum);
    return asView(ctx, input, eachNormalized(ctx, args, eps));
  },
});

function eachNormalized(ctx: CallContext, args: BatchArgs, eps: number): Typed {
  const { input, weight, bias } = args;
  const held = heldType(args);
  const x = ctx.read(input);
  const axes = x.shape.flatMap((_, axis) => (axis < 2 ? [] : [axis]));
  if (ofPairs(args, countOver(x, axes))) {
    const { y } = pairsNormalized(ctx, { ...scales(ctx, args), x, axes, eps });
    return { typed: y, as: input.dtype };
  }
  const normal = isHalf(held)
    ? normalizedOver(ctx.emit, x, axes, held, eps).normal
    : (knownNormalized(ctx, input, eps) ??
      groupsNormalized(ctx, input, input.shape[1] as number, eps, null));
  return scaleAndShift(ctx, input, normal, weight, bias);
}

/** Instances of constants, on the host: their squares overflow otherwise than those of groups. */
function knownNormalized(ctx: CallContext, input: Tensor, eps: number): Value | null {
  const { emit } = ctx;
  const x = ctx.read(input);
  if (x.role !== "constant") return null;
  const each = [1, 0].map((number) =>
    expandTo(emit, emit.scalar(number, x.dtype), [input.shape[1] as number]),
  );
  return emit.op("InstanceNormalization", [x, ...each], { epsilon: eps });
}

/**
 * PyTorch normalises samples as channels of one batch and gives a view of that: an edit of it leaves the
 * hooks behind that it had before. A half precision is rounded where it is given out, so it stays a value.
 */
function asView(ctx: CallContext, input: Tensor, normalized: Typed): Result {
  if (isHalf(input.dtype)) return normalized;
  return viewAs(ctx, ctx.store.fromValue(normalized.typed, false), input.shape);
}
