/** Convolutions over one, two or three axes, and their transposes. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { type DType, isInteger } from "../../graph/tensor.ts";
import { castTo, padBy } from "../../ops/write.ts";
import { either, ints, optional, tensor, text, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { needFloats, refuseKinds } from "../kernels.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { halfConvolution, halfTransposedConvolution, hasFewTaps } from "./halfWindows.ts";
import { needSameScalarType, sizeText } from "./matmulErrors.ts";
import { batched, count, perAxis, spread } from "./spatial.ts";
import { wideConvolution, wideTransposedConvolution } from "./wideWindows.ts";

interface ConvArgs {
  readonly input: Tensor;
  readonly weight: Tensor;
  readonly bias: Tensor | null;
  readonly stride: readonly number[];
  readonly padding: readonly number[] | string;
  readonly dilation: readonly number[];
  readonly groups: number;
}

function convolution(rank: number) {
  const name = `conv${rank}d`;
  return torchCall({
    name,
    in: ["torch", "torch.nn.functional"],
    params: {
      input: tensor,
      weight: tensor,
      bias: optional(tensor),
      stride: perAxis(1),
      padding: withDefault(either(ints, text), [0] as readonly number[] | string),
      dilation: perAxis(1),
      groups: count,
    },
    saves: (args) => (isPaddedFirst(args) ? ["weight"] : ["input", "weight"]),
    build: (ctx, args): Typed => {
      const { input, weight } = args;
      const { x, restore } = batched(ctx, input, name, rank, numbersOf(input));
      needSameScalarType(input, weight);
      refuseKinds(rank === 3 ? "compute_columns3d" : "slow_conv2d_cpu", typeOf(input), ["bool"]);
      needChannels(x.shape);
      refuseChannels(x.shape, args);
      const dilations = spread("dilation", args.dilation, rank);
      const strides = spread("stride", args.stride, rank);
      const pads = padsOf(args, dilations, strides, rank);
      refuseKernel(x.shape, weight.shape, dilations, pads);
      const attrs = { strides, dilations, pads, group: args.groups };
      const [w, bias] = parameters(ctx, x, args);
      return { typed: restore(convolved(ctx, input, x, w, bias, attrs)), as: input.dtype };
    },
  });
}
export const conv1d = convolution(1);
export const conv2d = convolution(2);
export const conv3d = convolution(3);

/** Double precision and integers have no kernel, but products. */
const numbersOf = ({ dtype }: Tensor): DType =>
  isInteger(dtype) ? "int64" : dtype === "float64" ? dtype : "float32";

/** float16 has no kernel of oneDNN's, but columns that are rounded. */
const inTaps = ({ dtype }: Tensor, w: Value): boolean => dtype === "float16" && hasFewTaps(w);

function convolved(
  { emit }: CallContext,
  input: Tensor,
  x: Value,
  w: Value,
  bias: Value | null,
  attrs: Parameters<typeof wideConvolution>[4],
): Value {
  if (x.dtype !== "float32") return wideConvolution(emit, x, w, bias, attrs);
  if (inTaps(input, w)) return halfConvolution(emit, x, w, bias, attrs);
  return emit.op("Conv", [x, w, bias], { ...attrs });
}

function parameters(
  ctx: CallContext,
  x: Value,
  { weight, bias }: { readonly weight: Tensor; readonly bias: Tensor | null },
): [Value, Value | null] {
  const narrow = (parameter: Tensor) => castTo(ctx.emit, ctx.read(parameter), x.dtype);
  return [narrow(weight), bias && narrow(bias)];
}

/** Whether PyTorch pads a copy of the input: "same" may need more behind it than before. */
const isPaddedFirst = ({ weight, padding, dilation }: ConvArgs): boolean =>
  padding === "same" &&
  spread("dilation", dilation, weight.shape.length - 2).some(
    (step, k) => (step * ((weight.shape[k + 2] as number) - 1)) % 2 === 1,
  );

/** Before each axis, then after each: "same" keeps the size, an odd rest going behind. */
function padsOf(
  { weight, padding }: ConvArgs,
  dilations: readonly number[],
  strides: readonly number[],
  rank: number,
): number[] {
  if (typeof padding !== "string") {
    const each = spread("padding", padding, rank);
    return [...each, ...each];
  }
  if (padding === "valid") return new Array<number>(2 * rank).fill(0);
  if (padding !== "same") throw torchError("RuntimeError", `Invalid padding string: '${padding}'`);
  if (strides.some((stride) => stride !== 1))
    throw torchError("RuntimeError", "padding='same' is not supported for strided convolutions");
  const total = dilations.map((dilation, k) => dilation * ((weight.shape[k + 2] as number) - 1));
  const before = total.map((size) => Math.floor(size / 2));
  return [...before, ...total.map((size, k) => size - (before[k] as number))];
}

/** Without channels PyTorch's result has none either, and ONNX Runtime does not come to an end. */
function needChannels([, channels]: readonly number[]): void {
  if (channels === 0)
    throw torchError("UnsupportedCall", "a convolution of no channels is not supported");
}

function refuseChannels(shape: readonly number[], { input, weight, bias, groups }: ConvArgs): void {
  const [filters = 0, perGroup = 0] = weight.shape;
  const channels = shape[1] as number;
  if (filters < groups)
    throw torchError(
      "RuntimeError",
      `Given groups=${groups}, expected weight to be at least ${groups} at dimension 0, but got weight of size ${sizeText(weight.shape)} instead`,
    );
  if (channels !== perGroup * groups)
    throw torchError(
      "RuntimeError",
      `Given groups=${groups}, weight of size ${sizeText(weight.shape)}, expected input${sizeText(input.shape)} to have ${perGroup * groups} channels, but got ${channels} channels instead`,
    );
  if (bias && (bias.shape.length !== 1 || bias.shape[0] !== filters))
    throw torchError(
      "RuntimeError",
      `Given weight of size ${sizeText(weight.shape)}, expected bias to be 1-dimensional with ${filters} elements, but got bias of size ${sizeText(bias.shape)} instead`,
    );
}

function refuseKernel(
  input: readonly number[],
  weight: readonly number[],
  dilations: readonly number[],
  pads: readonly number[],
): void {
  const rank = dilations.length;
  const padded = dilations.map(
    (_, k) => (input[k + 2] as number) + (pads[k] as number) + (pads[k + rank] as number),
  );
  const spans = dilations.map((dilation, k) => dilation * ((weight[k + 2] as number) - 1) + 1);
  if (spans.some((span, k) => span > (padded[k] as number)))
    throw torchError(
      "RuntimeError",
      `Calculated padded input size per channel: (${padded.join(" x ")}). Kernel size: (${spans.join(" x ")}). Kernel size can't be greater than actual input size`,
    );
}

function transposedConvolution(rank: number) {
  const name = `conv_transpose${rank}d`;
  return torchCall({
    name,
    in: ["torch", "torch.nn.functional"],
    params: {
      input: tensor,
      weight: tensor,
      bias: optional(tensor),
      stride: perAxis(1),
      padding: perAxis(0),
      output_padding: perAxis(0),
      groups: count,
      dilation: perAxis(1),
    },
    saves: ["input", "weight"],
    build: (ctx, args): Typed => {
      const { input, weight, groups } = args;
      const { x, restore } = batched(ctx, input, name, rank, numbersOf(input));
      needSameScalarType(input, weight);
      const kernel = `slow_conv_transpose${rank === 3 ? 3 : 2}d_out_cpu`;
      needFloats(kernel, typeOf(input), ["int64"]);
      needChannels(x.shape);
      if (x.shape[1] !== weight.shape[0])
        throw torchError(
          "RuntimeError",
          `Given transposed=1, weight of size ${sizeText(weight.shape)}, expected input${sizeText(input.shape)} to have ${weight.shape[0]} channels, but got ${x.shape[1]} channels instead`,
        );
      const padding = spread("padding", args.padding, rank);
      const attrs = {
        strides: spread("stride", args.stride, rank),
        dilations: spread("dilation", args.dilation, rank),
        pads: [...padding, ...padding],
        output_padding: spread("output_padding", args.output_padding, rank),
        group: groups,
      };
      refuseTransposedSizes(x.shape.slice(2), weight.shape.slice(2), attrs, padding, input.dtype);
      const [w, bias] = parameters(ctx, x, args);
      const [longer, form] = withWholeSteps(ctx.emit, x, attrs);
      const write =
        x.dtype !== "float32"
          ? wideTransposedConvolution
          : inTaps(input, w)
            ? halfTransposedConvolution
            : null;
      const y = write
        ? write(ctx.emit, longer, w, bias, form)
        : ctx.emit.op("ConvTranspose", [longer, w, bias], form);
      return { typed: restore(y), as: input.dtype };
    },
  });
}

/** Output padding of a step and more is that of an input with zeros at its end. */
function withWholeSteps<
  A extends { readonly strides: readonly number[]; readonly output_padding: readonly number[] },
>(emit: Emit, x: Value, attrs: A): readonly [Value, A] {
  const steps = attrs.output_padding.map((added, k) => Math.floor(added / (attrs.strides[k] ?? 1)));
  if (steps.every((count) => count === 0)) return [x, attrs];
  const rest = attrs.output_padding.map((added, k) => added % (attrs.strides[k] ?? 1));
  const none = x.shape.map(() => 0);
  return [padBy(emit, x, none, [0, 0, ...steps]), { ...attrs, output_padding: rest }];
}

/** Sizes of one axis after the other; of bfloat16 PyTorch has a kernel that gives nothing. */
function refuseTransposedSizes(
  sizes: readonly number[],
  kernel: readonly number[],
  attrs: {
    readonly strides: readonly number[];
    readonly dilations: readonly number[];
    readonly output_padding: readonly number[];
  },
  padding: readonly number[],
  type: DType,
): void {
  const { strides, dilations, output_padding: added } = attrs;
  const at = (list: readonly number[], k: number) => list[k] as number;
  if (added.some((extra, k) => extra >= at(strides, k) && extra >= at(dilations, k)))
    throw torchError(
      "RuntimeError",
      `output padding must be smaller than either stride or dilation, but got output_padding: ${added.join(", ")} stride: ${strides.join(", ")} dilation: ${dilations.join(", ")}`,
    );
  const made = sizes.map((size, k) => {
    const reach = at(dilations, k) * (at(kernel, k) - 1) + 1;
    return (size - 1) * at(strides, k) + reach - 2 * at(padding, k) + at(added, k);
  });
  const text = (list: readonly number[]) => `(${list.join(" x ")})`;
  if (type !== "bfloat16" && made.some((size) => size <= 0))
    throw torchError(
      "RuntimeError",
      `Given input size per channel: ${text(sizes)}. Calculated output size per channel: ${text(made)}. Output size is too small`,
    );
}

export const convTranspose1d = transposedConvolution(1);
export const convTranspose2d = transposedConvolution(2);
export const convTranspose3d = transposedConvolution(3);
