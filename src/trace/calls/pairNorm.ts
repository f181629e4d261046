/** Normalisation of channels of two elements. */
import type { Emit, Value } from "../../graph/graph.ts";
import { castTo } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";

interface Pairs {
  readonly x: Value;
  /** Those along which there are two elements. */
  readonly axes: readonly number[];
  readonly eps: number;
  /** Broadcast over x. */
  readonly weight: Value | null;
  readonly bias: Value | null;
}

interface Normalized {
  readonly y: Value;
  readonly mean: Value;
  /** The sum of (x − mean)². */
  readonly squares: Value;
}

/**
 * Of two elements the gradient keeps no more than eps / (var + eps) of what arrives: most digits of it
 * are those that rounding left. So each step rounds where PyTorch's does, which subtracts a product
 * without rounding it (ATen/native/cpu/batch_norm_kernel.cpp). For single precision.
 */
export function pairsNormalized(ctx: CallContext, pairs: Pairs): Normalized {
  const { emit } = ctx;
  const { x, axes, eps, weight, bias } = pairs;
  let found: Moments | null = null;
  const [y] = emit.grouped(
    [x, ...(weight ? [weight] : []), ...(bias ? [bias] : [])],
    () => {
      found = momentsOf(emit, x, axes, eps);
      const { mean, inverse } = found;
      const slope = weight ? emit.op("Mul", [inverse, weight]) : inverse;
      const [base, lowered] = [bias ?? emit.scalar(0, x.dtype), emit.op("Neg", [slope])];
      return [minusProduct(emit, minusProduct(emit, base, mean, slope), x, lowered)];
    },
    (backward, [d]) => {
      if (!d || !found) return [null];
      const { centred, inverse } = found;
      const times = (a: Value, b: Value) => backward.op("Mul", [a, b]);
      const dot = sumOver(backward, times(centred, d), axes);
      const sum = sumOver(backward, d, axes);
      const half = backward.scalar(0.5, x.dtype);
      const k = times(times(times(dot, inverse), inverse), half);
      const apart = backward.op("Sub", [d, times(sum, half)]);
      const straight = times(minusProduct(backward, apart, centred, k), inverse);
      const dx = weight ? times(straight, weight) : straight;
      return [dx, ...(weight ? [times(dot, inverse)] : []), ...(bias ? [sum] : [])];
    },
  );
  const { mean, squares } = found as unknown as Moments;
  return { y: y as Value, mean, squares };
}

interface Moments {
  readonly mean: Value;
  readonly centred: Value;
  readonly squares: Value;
  /** 1 / √(var + eps) */
  readonly inverse: Value;
}

function momentsOf(emit: Emit, x: Value, axes: readonly number[], eps: number): Moments {
  const half = emit.scalar(0.5, x.dtype);
  const mean = emit.op("Mul", [sumOver(emit, x, axes), half]);
  const centred = emit.op("Sub", [x, mean]);
  const squares = sumOver(emit, emit.op("Mul", [centred, centred]), axes);
  const variance = castTo(emit, emit.op("Mul", [squares, half]), "float64");
  const raised = emit.op("Add", [variance, emit.scalar(eps, "float64")]);
  const inverse = emit.op("Div", [emit.scalar(1, "float64"), emit.op("Sqrt", [raised])]);
  return { mean, centred, squares, inverse: castTo(emit, inverse, x.dtype) };
}

const sumOver = (emit: Emit, x: Value, axes: readonly number[]): Value =>
  emit.op("ReduceSum", [x, emit.ints(axes)], { keepdims: 1 });

/** a − b · c, rounded once. */
function minusProduct(emit: Emit, a: Value, b: Value, c: Value): Value {
  const [wideA, wideB, wideC] = [a, b, c].map((x) => castTo(emit, x, "float64")) as [
    Value,
    Value,
    Value,
  ];
  const exact = emit.op("Sub", [wideA, emit.op("Mul", [wideB, wideC])]);
  return castTo(emit, exact, a.dtype);
}
