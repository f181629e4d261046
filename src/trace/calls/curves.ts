/** Scalar functions that activations and losses share, and the form of a slope of one's own. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import { castTo, recomputed } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import { type TorchType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { leftNan, stepBytes } from "./vectorLoops.ts";

/** PyTorch's refusal of integers, which names the kernel that has none for them. */
export function needFloatKernel(kernel: string, input: Tensor): void {
  if (isFloat(input.dtype) && !input.isComplex) return;
  throw torchError(
    "NotImplementedError",
    `"${kernel}" not implemented for '${cppName(typeOf(input))}'`,
  );
}

/** y of x whose gradient is `slope(emit, y, dy)` rather than that of the nodes. */
export function withSlope(
  emit: CallContext["emit"],
  x: Value,
  make: () => Value,
  slope: (emit: Emit, y: Value, d: Value) => Value,
): Value {
  const made = emit.grouped(
    [x],
    () => [make()],
    (backward, [d]) => [d ? slope(backward, made[0] as Value, d) : null],
  );
  return made[0] as Value;
}

/** x^½, whose gradient PyTorch has by x alone, as that of any power. */
export const rootPower = (emit: CallContext["emit"], x: Value): Value =>
  withSlope(
    emit,
    x,
    () => emit.op("Sqrt", [x]),
    (backward, y, d) => {
      const root = recomputed(backward, y, () => backward.op("Sqrt", [x]));
      return backward.op("Div", [d, backward.op("Mul", [root, backward.scalar(2, x.dtype)])]);
    },
  );

/** x⁻¹, whose gradient PyTorch has by x alone, as that of any power. */
export const inversePower = (emit: CallContext["emit"], x: Value): Value =>
  withSlope(
    emit,
    x,
    () => emit.op("Reciprocal", [x]),
    (backward, y, d) => {
      const inverse = recomputed(backward, y, () => backward.op("Reciprocal", [x]));
      return backward.op("Mul", [backward.op("Neg", [d]), backward.op("Mul", [inverse, inverse])]);
    },
  );

/** ln(1 + e^x); no provider has a kernel in double precision. */
export function softplusOf(emit: CallContext["emit"], x: Value): Value {
  if (x.dtype !== "float64") return emit.op("Softplus", [x]);
  return withSlope(
    emit,
    x,
    () => emit.op("Add", [emit.op("Relu", [x]), tail(emit, x)]),
    (backward, _y, d) => backward.op("Mul", [d, sigmoid(backward, x)]),
  );
}

/** σ(x), which keeps its digits where it is small: the runtime's kernel is 0 below −18. */
function sigmoid(emit: Emit, x: Value): Value {
  const small = emit.op("Exp", [emit.op("Neg", [emit.op("Abs", [x])])]);
  const one = emit.scalar(1, x.dtype);
  const share = emit.op("Div", [small, emit.op("Add", [small, one])]);
  const isNegative = emit.op("Less", [x, emit.scalar(0, x.dtype)]);
  return emit.op("Where", [isNegative, share, emit.op("Sub", [one, share])]);
}

/** ln σ(x) = min(x, 0) − ln(1 + e^−|x|) */
export const logSigmoid = (emit: Emit, x: Value): Value =>
  emit.op("Sub", [emit.op("Min", [x, emit.scalar(0, x.dtype)]), tail(emit, x)]);

export function logSigmoidOf(emit: CallContext["emit"], x: Value): Value {
  return withSlope(
    emit,
    x,
    () => logSigmoid(emit, x),
    (backward, _y, d) => backward.op("Mul", [d, sigmoid(backward, backward.op("Neg", [x]))]),
  );
}

/** ln(1 + e^−|x|) */
function tail(emit: Emit, x: Value): Value {
  return lnOnePlus(emit, emit.op("Exp", [emit.op("Neg", [emit.op("Abs", [x])])]));
}

/**
 * With u = 1 + x as it is rounded, ln(u) · x / (u − 1): the quotient takes the rounding back (W. Kahan).
 */
export function lnOnePlus(emit: Emit, x: Value): Value {
  const one = emit.scalar(1, x.dtype);
  const u = emit.op("Add", [x, one]);
  const logs = emit.op("Log", [u]);
  const step = emit.op("Sub", [u, one]);
  const scaled = emit.op("Mul", [logs, emit.op("Div", [x, step])]);
  const isTiny = emit.op("Equal", [u, one]);
  const kept = emit.op("Where", [emit.op("IsInf", [logs]), logs, scaled]);
  return emit.op("Where", [isTiny, x, kept]);
}

/**
 * scale · x above 0, scale · alpha · (e^(rate · x) − 1) below; written without Where, which is slow
 * on masks without a pattern.
 */
export function elu(
  emit: CallContext["emit"],
  x: Value,
  alpha: number,
  scale: number,
  rate: number,
  type: TorchType,
): Value {
  const times = (to: Emit, value: Value, by: number) =>
    by === 1 ? value : to.op("Mul", [value, to.scalar(by, x.dtype)]);
  const below = (to: Emit, value: Value) => to.op("Min", [value, to.scalar(0, x.dtype)]);
  const write = (to: Emit) => {
    const power = to.op("Exp", [times(to, below(to, x), rate)]);
    const low = to.op("Sub", [power, to.scalar(1, x.dtype)]);
    const high = times(to, to.op("Relu", [x]), scale);
    return to.op("Add", [high, times(to, low, alpha * scale)]);
  };
  return withSlope(
    emit,
    x,
    () => write(emit),
    // rate · (min(y, 0) + scale · alpha) below 0; above 0 it is that plus a constant.
    (backward, y, d) => {
      const shifted = backward.op("Add", [
        below(
          backward,
          recomputed(backward, y, () => write(backward)),
        ),
        backward.scalar(scale * alpha, x.dtype),
      ]);
      const slope = times(backward, shifted, rate);
      const more = scale * (1 - rate * alpha);
      const isAbove = () => castTo(backward, isPositive(backward, x), x.dtype);
      const full =
        more === 0 ? slope : backward.op("Add", [slope, times(backward, isAbove(), more)]);
      const left = leftNan(backward, x, type, stepBytes.blend);
      const whole = () => backward.op("Where", [left, backward.scalar(scale, x.dtype), full]);
      return backward.op("Mul", [d, left === null ? full : whole()]);
    },
  );
}

export const isPositive = (emit: Emit, x: Value): Value =>
  emit.op("Greater", [x, emit.scalar(0, x.dtype)]);

/** clip(x / 6 + 1/2, 0, 1); no provider has a kernel in double precision. */
export function hardSigmoidOf(emit: CallContext["emit"], x: Value): Value {
  if (x.dtype !== "float64") return emit.op("HardSigmoid", [x], { alpha: 1 / 6, beta: 0.5 });
  const number = (to: Emit, value: number) => to.scalar(value, x.dtype);
  return withSlope(
    emit,
    x,
    () => {
      const line = emit.op("Add", [emit.op("Div", [x, number(emit, 6)]), number(emit, 0.5)]);
      return emit.op("Clip", [line, number(emit, 0), number(emit, 1)]);
    },
    (backward, _y, d) => {
      const isBent = backward.op("Less", [backward.op("Abs", [x]), number(backward, 3)]);
      const share = backward.op("Div", [d, number(backward, 6)]);
      return backward.op("Where", [isBent, share, number(backward, 0)]);
    },
  );
}
