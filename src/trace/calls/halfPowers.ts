/** Powers in half precision. */
import type { Value } from "../../graph/graph.ts";
import type { CallContext } from "../call.ts";
import type { TorchType } from "../promotion.ts";
import { inSteps, powerInHalf, type Slopes } from "./kernelSlopes.ts";

/** x^exponent, with PyTorch's gradient step by step; `base` is x where it is a number. */
export function powerInSteps(
  emit: CallContext["emit"],
  x: Value,
  base: number | null,
  exponent: Value | number,
  type: TorchType,
): Value {
  if (typeof exponent !== "number") {
    const inputs = base === null ? [x, exponent] : [exponent];
    const slopes = base === null ? slopesOfBoth : slopeOfExponent(base);
    return inSteps(emit, type, inputs, () => emit.op("Pow", [x, exponent]), slopes);
  }
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

const slopeOfExponent =
  (base: number): Slopes =>
  ({ op }, d, [e], z) => {
    const slope = op("Mul", d, op("Mul", z, Math.log(base)));
    const staysZero = op("GreaterOrEqual", e as Value, 0);
    return [base === 0 ? op("Where", staysZero, 0, slope) : slope];
  };

/** Nothing reaches a base whose exponent is 0, nor the exponent of a 0 that stays one. */
const slopesOfBoth: Slopes = ({ op, whole }, d, [x, e], z) => {
  const [base, exponent] = [x as Value, e as Value];
  const isZero = op("Equal", exponent, 0);
  const staysZero = op("And", op("Equal", base, 0), op("GreaterOrEqual", exponent, 0));
  const lower = op("Sub", exponent, 1);
  const power = whole((emit) => emit.op("Pow", [base, lower]));
  const byBase = op("Mul", d, op("Mul", exponent, power));
  const byExponent = op("Mul", d, op("Mul", z, op("Log", base)));
  return [op("Where", isZero, 0, byBase), op("Where", staysZero, 0, byExponent)];
};
