/** Results that PyTorch has in its graph although no gradient comes through them. */
import { placedAt, torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isTensor, type Scalar } from "../arguments.ts";
import type { CallContext } from "../call.ts";
import { isComplexType, type TorchType } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";

const named = (emit: CallContext["emit"], value: Value): Value => emit.op("Identity", [value]);

/** `value` requires a gradient where `source` does; that of `source` is 0. */
export function unreached(emit: CallContext["emit"], value: Value, source: Value): Value {
  if (!source.requiresGrad || value.requiresGrad || !emit.gradMode) return value;
  const [made] = emit.grouped(
    [source],
    () => [named(emit, value)],
    (backward) => [backward.scalar(0, source.dtype)],
  );
  return made as Value;
}

/** What `make` writes of `inputs`, whose gradient is 0 whatever they are: steps of a staircase. */
export function withoutSlope(
  emit: CallContext["emit"],
  inputs: readonly Value[],
  make: () => Value,
): Value {
  const [made] = emit.grouped(
    inputs,
    () => [make()],
    (backward) => inputs.map(({ dtype }) => backward.scalar(0, dtype)),
  );
  return made as Value;
}

/** `value` comes of `source` too in PyTorch's graph, with a gradient of 0: what it overwrites. */
export function alsoOf(emit: CallContext["emit"], value: Value, source: Value): Value {
  if (!source.requiresGrad || !value.requiresGrad || !emit.gradMode) return value;
  const [made] = emit.grouped(
    [value, source],
    () => [named(emit, value)],
    (backward, [d]) => [d ?? null, backward.scalar(0, source.dtype)],
  );
  return made as Value;
}

/** Refuses an argument that requires a gradient where PyTorch has none for it. */
export function refuseGradientOf(
  ctx: CallContext,
  kernel: string,
  argument: string,
  given: Tensor | null,
): void {
  if (given === null || !ctx.emit.gradMode || !ctx.store.requiresGrad(given)) return;
  throw torchError(
    "RuntimeError",
    `The function '${kernel}' is not differentiable with respect to argument '${argument}'. This input cannot have requires_grad True.`,
  );
}

/**
 * `value` requires a gradient where one of `sources` does; a backward pass that needs a gradient of
 * theirs throws `error`.
 */
export function underivable(
  emit: CallContext["emit"],
  value: Value,
  sources: readonly Value[],
  error: Error,
): Value {
  const refused = sources.filter((source) => source.requiresGrad);
  if (refused.length === 0 || !emit.gradMode) return value;
  // PyTorch raises this in backward, where no line of the file is running.
  const place = emit.origin.call?.site ?? null;
  const others = refused.includes(value) ? [] : [value];
  const [made] = emit.grouped(
    [...refused, ...others],
    () => [named(emit, value)],
    (_backward, [d], isWanted) => {
      if (refused.some(isWanted)) throw placedAt(error, place);
      return [...refused.map(() => null), ...others.map(() => d ?? null)];
    },
  );
  return made as Value;
}

/** PyTorch's gradient of a complex number is complex, which a real tensor refuses. */
export function refuseRealGradient(ctx: CallContext, value: Value, real: Tensor): Value {
  const error = torchError(
    "RuntimeError",
    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be true, but got false.",
  );
  return underivable(ctx.emit, value, [ctx.store.read(real)], error);
}

/** An operand in a complex type, where a real one has no gradient. */
export function besideComplex(ctx: CallContext, side: Tensor | Scalar, type: TorchType): Value {
  const value = ctx.as(side, type);
  const isMixed = isComplexType(type) && isTensor(side) && !side.isComplex;
  return isMixed ? refuseRealGradient(ctx, value, side) : value;
}

/**
 * A product of two factors and a complex number: PyTorch's gradient of a factor is of the number times
 * the other one, for which it has no kernel in bfloat16.
 */
export function bFloatRefused(
  ctx: CallContext,
  product: Value,
  a: Tensor | Scalar,
  b: Tensor | Scalar,
): Value {
  const isHalf = (x: Tensor | Scalar) => isTensor(x) && x.dtype === "bfloat16";
  const refused = [isHalf(b) ? [a] : [], isHalf(a) ? [b] : []].flat().filter(isTensor);
  const error = torchError("NotImplementedError", `"mul_cpu" not implemented for 'BComplex32'`);
  return underivable(ctx.emit, product, refused.map(ctx.store.read), error);
}

/**
 * A quotient times a complex number: PyTorch's gradient of what is divided is of the number over the
 * divisor, which is left real where the divisor is.
 */
export function realDivisorRefused(
  ctx: CallContext,
  ratio: Value,
  factor: Scalar,
  divided: Tensor | Scalar,
  divisor: Tensor | Scalar,
): Value {
  const isReal = isTensor(divisor) && !divisor.isComplex;
  if (!factor.imaginary || !isReal || !isTensor(divided)) return ratio;
  const text = "value cannot be converted to type float without overflow";
  const error = torchError("RuntimeError", text);
  return underivable(ctx.emit, ratio, [ctx.store.read(divided)], error);
}

/** Refuses what PyTorch computes of complex numbers, but has no derivative of. */
export function refuseComplexGradient(
  ctx: CallContext,
  name: string,
  ...operands: readonly Tensor[]
): void {
  const isWanted = ctx.emit.gradMode && operands.some((x) => ctx.store.requiresGrad(x));
  if (isWanted && operands.some(({ isComplex }) => isComplex))
    throw torchError(
      "NotImplementedError",
      `${name} does not support automatic differentiation for outputs with complex dtype.`,
    );
}
