/** Powers in half precision. */
import type { Value } from "../../graph/graph.ts";
import type { CallContext } from "../call.ts";
import type { TorchType } from "../promotion.ts";
import { heldBy } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { inSteps, powerInHalf } from "./kernelSlopes.ts";
import { type Held, inTypedSteps, type TypedSlopes, typedCall } from "./typedKernels.ts";

/** base^exponent of real tensors, with PyTorch's gradient step by step where one is of half precision. */
export function powerOfTensors(
  ctx: CallContext,
  base: Tensor,
  exponent: Tensor,
  type: TorchType,
): Value {
  const x = heldBy(ctx, base, type);
  const values = [x, heldBy(ctx, exponent, type)];
  const write = () => ctx.emit.op("Pow", values);
  const slopes = slopesOfBoth({ value: x, type });
  return inTypedSteps(typedCall(ctx, [base, exponent], values, type), write, slopes);
}

/** base^exponent of a number in half precision. */
export function powerOfNumber(
  emit: CallContext["emit"],
  x: Value,
  base: number,
  exponent: Value,
  type: TorchType,
): Value {
  const write = () => emit.op("Pow", [x, exponent]);
  return inSteps(emit, type, [exponent], write, ({ op }, d, [e], z) => {
    const slope = op("Mul", z, Math.log(base));
    const staysZero = op("GreaterOrEqual", e as Value, 0);
    return [op("Mul", d, base === 0 ? op("Where", staysZero, 0, slope) : slope)];
  });
}

/** x^exponent by a number in half precision, with PyTorch's gradient step by step. */
export function powerByNumber(
  emit: CallContext["emit"],
  x: Value,
  exponent: number,
  type: TorchType,
): Value {
  const write = () => {
    const power = powerInHalf(emit, x, exponent, type);
    return power === x ? emit.op("Identity", [x]) : power;
  };
  return inSteps(emit, type, [x], write, ({ op, power }, d) => [
    exponent === 0
      ? emit.scalar(0, x.dtype)
      : op("Mul", d, op("Mul", power(x, exponent - 1), exponent)),
  ]);
}

/**
 * Nothing reaches a base whose exponent is 0, nor the exponent of a 0 that stays one. `base` is the
 * first input in the type of the power.
 */
const slopesOfBoth =
  (base: Held): TypedSlopes =>
  ({ op }, d, [x, e], z) => {
    const [own, exponent] = [x as Held, e as Held];
    const isZero = op("Equal", exponent, 0);
    const staysZero = op("And", op("Equal", own, 0), op("GreaterOrEqual", exponent, 0));
    const power = op("Pow", own, op("Sub", exponent, 1));
    const byBase = op("Mul", d, op("Mul", exponent, power));
    const byExponent = op("Where", staysZero, 0, op("Mul", z, op("Log", base)));
    return [op("Where", isZero, 0, byBase), op("Mul", d, byExponent)];
  };
