/** Normalisation over the last axes. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { type DType, isHalf, numel, sameShape } from "../../graph/tensor.ts";
import { castTo, recomputed, reshapeTo } from "../../ops/write.ts";
import { bool, float, intTuple, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { needFloatKernel } from "./curves.ts";
import { rowsInTurn } from "./halfSums.ts";
import { sizeText } from "./matmulErrors.ts";
import { onesOf } from "./sharedConstants.ts";

/** (x − mean) / √(var + eps) · weight + bias, Ba et al. 2016, https://arxiv.org/abs/1607.06450 */
export const layerNorm = torchCall({
  name: "layer_norm",
  in: ["torch", "torch.nn.functional"],
  params: {
    input: tensor,
    normalized_shape: intTuple,
    weight: optional(tensor),
    bias: optional(tensor),
    eps: withDefault(float, 1e-5),
    cudnn_enable: withDefault(bool, true),
  },
  saves: ["input", "weight", "bias"],
  build: (ctx, { input, normalized_shape: normalized, weight, bias, eps }) => {
    refuseShapes(input, normalized, { weight, bias }, ", ");
    needFloatKernel("LayerNormKernelImpl", input);
    refuseMixedTypes(input, [weight, bias]);
    const x = ctx.read(input);
    const inType = (parameter: Tensor | null) => parameter && besideInput(ctx, parameter, input);
    ctx.noteNorm({ kind: "layer_norm", input: x, axes: normalized.length, eps });
    const held = heldInHalf(input, [weight, bias]);
    const form = { axes: normalized.length, eps, held, type: input.dtype };
    return {
      typed: layerNormalized(ctx.emit, x, inType(weight), inType(bias), form),
      as: input.dtype,
    };
  },
});

/** A parameter as norms compute with it: one that is wider than the input keeps its type, in its gradient too. */
export const besideInput = (ctx: CallContext, parameter: Tensor, input: Tensor): Value =>
  isHalf(input.dtype) ? ctx.read(parameter) : ctx.as(parameter, input.dtype);

/**
 * Parameters of norms are of the input's type, or all in single precision beside a half-precision input.
 * PyTorch judges by the first of them.
 */
export function refuseMixedTypes(input: Tensor, parameters: readonly (Tensor | null)[]): void {
  const given = parameters.filter((parameter) => parameter !== null);
  const other = given.find((parameter) => parameter.dtype !== input.dtype);
  if (other === undefined) return;
  if (other !== given[0])
    throw torchError(
      "RuntimeError",
      `expected scalar type ${cppName(typeOf(input))} but found ${cppName(typeOf(other))}`,
    );
  const areSingle = given.every(({ dtype }) => dtype === "float32");
  if (areSingle && isHalf(input.dtype)) return;
  const rule = areSingle
    ? "all inputs must share same datatype."
    : `expect parameter to have scalar type of ${cppName("float32")}`;
  throw torchError("RuntimeError", `mixed dtype (CPU): ${rule}`);
}

function refuseShapes(
  input: Tensor,
  normalized: readonly number[],
  parameters: Readonly<Record<string, Tensor | null>>,
  separator: string,
): void {
  if (normalized.length === 0)
    throw torchError(
      "RuntimeError",
      "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
    );
  for (const [name, parameter] of Object.entries(parameters))
    if (parameter !== null && !sameShape(parameter.shape, normalized))
      throw torchError(
        "RuntimeError",
        `Expected ${name} to be of same shape as normalized_shape, but got ${name} of shape ${sizeText(parameter.shape)} and normalized_shape = ${sizeText(normalized)}`,
      );
  const fits = sameShape(input.shape.slice(-normalized.length), normalized);
  if (!fits || input.shape.length < normalized.length)
    throw torchError(
      "RuntimeError",
      `Given normalized_shape=${sizeText(normalized)}, expected input with shape [*${separator}${normalized.join(", ")}], but got input of size${sizeText(input.shape)}`,
    );
}

interface Form {
  /** How many of the last axes are normalised together. */
  readonly axes: number;
  readonly eps: number;
  /** The half precision that the moments are kept in for the backward pass; null: they are not rounded. */
  readonly held: DType | null;
  /** The type of the input: the gradients of the parameters are summed in it. */
  readonly type: DType;
}

/** Moments are kept in the parameters' type, which is the input's where there are none. */
export const heldInHalf = (
  { dtype }: Tensor,
  parameters: readonly (Tensor | null)[],
): DType | null =>
  isHalf(dtype) && parameters.every((given) => given === null || given.dtype === dtype)
    ? dtype
    : null;

/** One node; its gradient shares dY · X̂ between the input's and the weight's. */
export function layerNormalized(
  emit: CallContext["emit"],
  x: Value,
  weight: Value | null,
  bias: Value | null,
  { axes, eps, held, type }: Form,
): Value {
  if (numel(x.shape) === 0) return shifted(emit, x, weight, bias);
  const axis = x.shape.length - axes;
  const attrs = { axis, epsilon: eps };
  const ones = onesOf(emit, x.dtype, x.shape.slice(axis));
  const scale = weight ?? ones;
  let [mean, inverse] = [x, x];
  const [y] = emit.grouped(
    [x, scale, ...(bias ? [bias] : [])],
    () => {
      const out = emit.ops("LayerNormalization", [x, scale, bias], attrs, 3);
      [, mean, inverse] = out as [Value, Value, Value];
      return [out[0] as Value];
    },
    (backward, [d]) => {
      if (!d || !y) return [null];
      const normal = held ? fromHeld(backward) : again(backward);
      const along = backward.op("Mul", [d, normal]);
      const own = x.requiresGrad ? dx(backward, d, normal, along) : null;
      return [own, ...[along, d].map((each) => overRows(backward, each))];
    },
  );
  return y as Value;

  /** Summed over the rows, where PyTorch rounds each addition. */
  function overRows(backward: Emit, each: Value): Value {
    if (!isHalf(type) || (weight === null && bias === null)) return each;
    const own = x.shape.slice(axis);
    const rows = reshapeTo(backward, each, [numel(x.shape.slice(0, axis)), ...own]);
    return reshapeTo(backward, rowsInTurn(backward, rows, type), own);
  }

  /** X̂, computed again where weight and bias came after it. */
  function again(backward: Emit): Value {
    const make = () => backward.op("LayerNormalization", [x, ones], attrs);
    return weight || bias ? make() : recomputed(backward, y as Value, make);
  }

  function fromHeld(backward: Emit): Value {
    return normalOf(backward, x, kept(backward, mean), kept(backward, inverse));
  }

  function kept(backward: Emit, moment: Value): Value {
    return held ? rounded(backward, moment, held) : castTo(backward, moment, x.dtype);
  }

  // With g = dY · weight: dX = (g − mean(g) − X̂ · mean(g · X̂)) / √(var + eps).
  function dx(backward: Emit, d: Value, normal: Value, along: Value): Value {
    const g = weight ? backward.op("Mul", [d, weight]) : d;
    const meanOf = rowMeans(backward, scale, axis, x);
    const centred = backward.op("Sub", [g, meanOf(d)]);
    const part = backward.op("Mul", [normal, meanOf(along)]);
    const straight = backward.op("Sub", [centred, part]);
    const steepness = x.dtype === "float64" ? wideInverse(backward) : kept(backward, inverse);
    return backward.op("Mul", [straight, steepness]);
  }

  /** 1 / √(var + eps), which the operator gives in single precision. */
  function wideInverse(backward: Emit): Value {
    const all = backward.ints(x.shape.flatMap((_, k) => (k >= axis ? [k] : [])));
    const centred = backward.op("Sub", [x, backward.op("ReduceMean", [x, all])]);
    return backward.op("Reciprocal", [rootMeanSquare(backward, centred, axis, eps)]);
  }
}

const normalOf = (emit: Emit, x: Value, mean: Value, inverse: Value): Value =>
  emit.op("Mul", [emit.op("Sub", [x, mean]), inverse]);

/** X̂ by moments that a half precision has rounded, which is the one that backward sees. */
export function normalFromHeld(
  emit: Emit,
  x: Value,
  { axes, eps, held }: Form & { readonly held: DType },
): Value {
  const axis = x.shape.length - axes;
  const ones = onesOf(emit, x.dtype, x.shape.slice(axis));
  const made = emit.ops("LayerNormalization", [x, ones], { axis, epsilon: eps }, 3);
  const [mean, inverse] = made.slice(1).map((moment) => rounded(emit, moment, held));
  return normalOf(emit, x, mean as Value, inverse as Value);
}

/** x / √(mean(x²) + eps) · weight, Zhang and Sennrich 2019, https://arxiv.org/abs/1910.07467 */
export const rmsNorm = torchCall({
  name: "rms_norm",
  in: ["torch", "torch.nn.functional"],
  params: {
    input: tensor,
    normalized_shape: intTuple,
    weight: optional(tensor),
    eps: optional(float),
  },
  // Half precision is widened first, and it is the wide copy that backward needs.
  saves: ({ input }) => (isHalf(input.dtype) ? ["weight"] : ["input", "weight"]),
  savesFor: { input: ["input", "weight"] },
  build: (ctx, { input, normalized_shape: normalized, weight, eps: given }) => {
    refuseShapes(input, normalized, { weight }, "");
    needFloatKernel("rms_norm", input);
    const x = ctx.read(input);
    const eps = given ?? (input.dtype === "float64" ? 2 ** -52 : 2 ** -23);
    ctx.noteNorm({ kind: "rms_norm", input: x, axes: normalized.length, eps });
    const scale = weight && besideInput(ctx, weight, input);
    return { typed: rmsNormalized(ctx.emit, x, scale, normalized.length, eps), as: input.dtype };
  },
});

/** What is left of a norm of no elements. */
function shifted(emit: Emit, x: Value, weight: Value | null, bias: Value | null): Value {
  const scaled = weight ? emit.op("Mul", [x, weight]) : emit.op("Identity", [x]);
  return bias ? emit.op("Add", [scaled, bias]) : scaled;
}

function rmsNormalized(
  emit: CallContext["emit"],
  x: Value,
  weight: Value | null,
  axes: number,
  eps: number,
): Value {
  if (numel(x.shape) === 0) return shifted(emit, x, weight, null);
  const axis = x.shape.length - axes;
  const attrs = { axis, epsilon: eps };
  const ones = onesOf(emit, x.dtype, x.shape.slice(axis));
  const scale = weight ?? ones;
  const [y] = emit.grouped(
    [x, scale],
    () => [emit.op("RMSNormalization", [x, scale], attrs)],
    (backward, [d]) => {
      if (!d || !y) return [null];
      const make = () => backward.op("RMSNormalization", [x, ones], attrs);
      const normal = weight ? make() : recomputed(backward, y, make);
      const along = backward.op("Mul", [d, normal]);
      return [x.requiresGrad ? dx(backward, d, normal, along) : null, along];
    },
  );
  return y as Value;

  // With g = dY · weight and r = √(mean(x²) + eps): dX = (g − X̂ · mean(g · X̂)) / r.
  function dx(backward: Emit, d: Value, normal: Value, along: Value): Value {
    const g = weight ? backward.op("Mul", [d, weight]) : d;
    const mean = rowMeans(backward, scale, axis, x);
    const part = backward.op("Mul", [normal, mean(along)]);
    const root = rootMeanSquare(backward, x, axis, eps);
    return backward.op("Div", [backward.op("Sub", [g, part]), root]);
  }
}

/**
 * The mean of d · scale over the axes from `axis` on, which keep size 1. Over one axis it is a product
 * with the column scale / N, which reads d once.
 */
function rowMeans(emit: Emit, scale: Value, axis: number, x: Value): (d: Value) => Value {
  const axes = x.shape.flatMap((_, k) => (k >= axis ? [k] : []));
  if (axes.length > 1)
    return (d) => emit.op("ReduceMean", [emit.op("Mul", [d, scale]), emit.ints(axes)]);
  const size = x.shape[axis] as number;
  const share = emit.op("Mul", [scale, emit.scalar(1 / size, scale.dtype)]);
  const column = reshapeTo(emit, share, [size, 1]);
  if (x.shape.length > 1) return (d) => emit.op("MatMul", [d, column]);
  return (d) => reshapeTo(emit, emit.op("MatMul", [reshapeTo(emit, d, [1, size]), column]), [1]);
}

/** √(mean(x²) + eps) over the axes from `axis` on, which keep size 1. */
function rootMeanSquare(emit: Emit, x: Value, axis: number, eps: number): Value {
  const axes = x.shape.flatMap((_, k) => (k >= axis ? [k] : []));
  const squares = emit.op("ReduceSumSquare", [x, emit.ints(axes)], { keepdims: 1 });
  const share = emit.scalar(1 / numel(x.shape.slice(axis)), x.dtype);
  const mean = emit.op("Mul", [squares, share]);
  return emit.op("Sqrt", [emit.op("Add", [mean, emit.scalar(eps, x.dtype)])]);
}
