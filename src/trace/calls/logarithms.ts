/** Functions of two numbers: sums of exponentials, products with logarithms, distances, angles, powers. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, isHalf } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import { operand, type Scalar, tensor } from "../arguments.ts";
import { type CallContext, type Namespace, type Typed, torchCall } from "../call.ts";
import { needFloats, refuseKinds } from "../kernels.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { heldBy, inKernels, rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { pow } from "./arithmetic.ts";
import { angleOf, type PartSteps } from "./complexFunctions.ts";
import { underivable } from "./derivatives.ts";
import { inSteps, type Slopes } from "./kernelSlopes.ts";
import { logSum } from "./scan.ts";

const both: readonly Namespace[] = ["torch", "Tensor"];
type Operand = Tensor | Scalar;

/** f(x, y) with a gradient of its own for each; half precision rounds each node of theirs. */
function binary(
  ctx: CallContext,
  x: Value,
  y: Value,
  make: () => Value,
  slopes: (step: Emit, d: Value, z: Value, backward: Emit) => readonly [Value, Value],
  as: TorchType,
): Value {
  const made = ctx.emit.grouped(
    [x, y],
    () => [make()],
    (backward, [d]) => {
      if (!d) return [null, null];
      const z = rounded(backward, made[0] as Value, as);
      return slopes(inKernels(backward, as), d, z, backward);
    },
  );
  return made[0] as Value;
}

/** log_base(base^a + base^b) */
function logSumOf(name: string, base: number) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, other: tensor },
    saves: ["input", "other"],
    build: (ctx, { input, other }) => {
      const { emit } = ctx;
      const as = ctx.promote(input, other);
      needFloats(`${name}_cpu`, as);
      const [x, y] = [ctx.as(input, as), ctx.as(other, as)];
      const scaled = (to: Emit, value: Value, by: number) =>
        base === Math.E ? value : to.op("Mul", [value, to.scalar(by, value.dtype)]);
      const rate = Math.log(base);
      const value = binary(
        ctx,
        x,
        y,
        () => scaled(emit, logSum(emit, scaled(emit, x, rate), scaled(emit, y, rate)), 1 / rate),
        (backward, d) => {
          // d / (1 + base^(b − a))
          const share = (a: Value, b: Value) => {
            const distance = backward.op("Sub", [b, a]);
            const power =
              base === Math.E
                ? backward.op("Exp", [distance])
                : backward.op("Pow", [backward.scalar(base, x.dtype), distance]);
            const sum = backward.op("Add", [power, backward.scalar(1, x.dtype)]);
            return backward.op("Div", [d, sum]);
          };
          return [share(x, y), share(y, x)];
        },
        as,
      );
      return { typed: value, as };
    },
  });
}
export const logaddexp = logSumOf("logaddexp", Math.E);
export const logaddexp2 = logSumOf("logaddexp2", 2);

/** The gradient times `log`, as xlogy has it: 0 where the gradient is 0, unless y is no number. */
export function gradientTimesLog(emit: Emit, d: Value, log: Value, y: Value): Value {
  const zero = emit.scalar(0, d.dtype);
  const isNumber = emit.op("Not", [emit.op("IsNaN", [y])]);
  const isNothing = emit.op("And", [emit.op("Equal", [d, zero]), isNumber]);
  return emit.op("Where", [isNothing, zero, emit.op("Mul", [d, log])]);
}

/** x · ln y (or ln(1 + y)), 0 where x is 0 unless y is no number. */
function productWithLog(name: string, places: readonly Namespace[], shift: 0 | 1) {
  return torchCall({
    name,
    in: places,
    params: { input: operand, other: operand },
    inPlace: places.includes("Tensor"),
    saves: ["input", "other"],
    build: (ctx, { input, other }) => {
      const { emit } = ctx;
      const { x, y, as } = floatOperands(ctx, input, other);
      const inner = (to: Emit) => (shift ? to.op("Add", [y, to.scalar(1, y.dtype)]) : y);
      const logOf = (to: Emit) => to.op("Log", [inner(to)]);
      const guarded = (to: Emit, product: Value) => {
        const isZero = to.op("Equal", [x, to.scalar(0, x.dtype)]);
        const isZeroOfNumber = to.op("And", [isZero, to.op("Not", [to.op("IsNaN", [y])])]);
        return to.op("Where", [isZeroOfNumber, to.scalar(0, x.dtype), product]);
      };
      const value = binary(
        ctx,
        x,
        y,
        () => guarded(emit, emit.op("Mul", [x, rounded(emit, logOf(emit), as)])),
        (backward, d, _z, unrounded) => {
          const zero = backward.scalar(0, x.dtype);
          const of = inner(backward);
          const isZero = backward.op("Equal", [x, zero]);
          const hasNoLog = backward.op("LessOrEqual", [of, zero]);
          const isMasked = backward.op("And", [isZero, hasNoLog]);
          const whole = rounded(backward, logOf(unrounded), as);
          const log = backward.op("Where", [isMasked, zero, whole]);
          return [
            gradientTimesLog(backward, d, log, y),
            backward.op("Div", [backward.op("Mul", [d, x]), of]),
          ];
        },
        as,
      );
      return { typed: value, as };
    },
  });
}
export const xlogy = productWithLog("xlogy", ["torch", "Tensor", "torch.special"], 0);
export const xlog1py = productWithLog("xlog1py", ["torch.special"], 1);

function floatOperands(ctx: CallContext, a: Operand, b: Operand) {
  const as = ctx.promoteToFloat(a, b);
  if (isComplexType(as)) leaveToPython();
  return { x: ctx.as(a, as), y: ctx.as(b, as), as };
}

/** √(x² + y²): infinite where one is, whatever the other. */
export const hypot = torchCall({
  name: "hypot",
  in: both,
  params: { input: tensor, other: tensor },
  inPlace: true,
  savesFor: { input: ["input", "result"], other: ["other", "result"] },
  build: (ctx, { input, other }) => {
    const { emit } = ctx;
    const as = ctx.promote(input, other);
    needFloats("hypot_cpu", as);
    const [x, y] = [heldBy(ctx, input, as), heldBy(ctx, other, as)];
    // In double precision no square of single precision is too large, or too small.
    const square = (value: Value) => {
      const wide = castTo(emit, value, "float64");
      return emit.op("Mul", [wide, wide]);
    };
    const length = () => {
      const root = emit.op("Sqrt", [emit.op("Add", [square(x), square(y)])]);
      const isInfinite = emit.op("Or", [emit.op("IsInf", [x]), emit.op("IsInf", [y])]);
      const infinity = emit.scalar(Number.POSITIVE_INFINITY, x.dtype);
      return emit.op("Where", [isInfinite, infinity, castTo(emit, root, x.dtype)]);
    };
    const value = binary(
      ctx,
      x,
      y,
      length,
      (backward, d, z) => {
        const part = (side: Value) => backward.op("Div", [backward.op("Mul", [d, side]), z]);
        return [part(x), part(y)];
      },
      as,
    );
    return { typed: value, as };
  },
});

const angleSlopes: Slopes = ({ op }, d, [y, x]) => {
  const [above, right] = [y as Value, x as Value];
  const norm = op("Add", op("Mul", above, above), op("Mul", right, right));
  const inverse = op("Where", op("Equal", norm, 0), 0, op("Reciprocal", norm));
  const part = (side: Value) => op("Mul", op("Mul", d, side), inverse);
  return [part(right), part(op("Neg", above))];
};

/** The angle of the point (other, input). */
export const atan2 = torchCall({
  name: "atan2",
  in: both,
  params: { input: tensor, other: tensor },
  inPlace: true,
  saves: ["input", "other"],
  build: (ctx, { input, other }): Typed => {
    const as = ctx.promoteToFloat(input, other);
    if (isComplexType(as)) leaveToPython();
    const [x, y] = [heldBy(ctx, input, as), heldBy(ctx, other, as)];
    const steps = inOwnTypes([input, other], [x, y]);
    const write = () => angleOf(ctx.emit, x, y, steps);
    const angle = inSteps(ctx.emit, as, [x, y], write, angleSlopes);
    if (input.dtype !== "bool") return { typed: angle, as };
    const refusal = torchError(
      "NotImplementedError",
      "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
    );
    return { typed: underivable(ctx.emit, angle, [y], refusal), as };
  },
});
/** Integers and half precision are squared and negated before they are cast to the type of the angle. */
function inOwnTypes(tensors: readonly Tensor[], sides: readonly Value[]): PartSteps | undefined {
  const isWide = ({ dtype }: Tensor) => (isFloat(dtype) && !isHalf(dtype)) || dtype === "bool";
  if (tensors.every(isWide)) return undefined;
  const taken = (emit: Emit, side: Value, of: (whole: Value) => Value): Value => {
    const dtype = tensors[sides.indexOf(side)]?.dtype ?? side.dtype;
    if (isHalf(dtype)) return rounded(emit, of(side), dtype);
    if (isFloat(dtype) || dtype === "bool") return of(side);
    return castTo(emit, castTo(emit, of(castTo(emit, side, "int64")), dtype), side.dtype);
  };
  return {
    square: (emit, side) => taken(emit, side, (x) => emit.op("Mul", [x, x])),
    negated: (emit, side) => taken(emit, side, (x) => emit.op("Neg", [x])),
  };
}
export const arctan2 = torchCall({ ...atan2, name: "arctan2" });

/** A power takes it as it is, without a copy. */
const isWide = (x: Operand): boolean => "storage" in x && x.dtype === "float64";

/** A power in double precision. */
export const floatPower = torchCall({
  name: "float_power",
  in: both,
  params: { input: operand, exponent: operand },
  saves: ({ input, exponent }) => [
    ...(isWide(input) ? (["input"] as const) : []),
    ...(isWide(exponent) ? (["exponent"] as const) : []),
    ...("storage" in exponent ? (["result"] as const) : []),
  ],
  build: (ctx, { input, exponent }) => {
    const type = isComplexType(ctx.promote(input, exponent)) ? "complex128" : "float64";
    const wide = (x: Operand): Operand =>
      "kind" in x ? x : ctx.store.fromValue(ctx.as(x, type), type === "complex128");
    const { typed } = pow.build(ctx, { input: wide(input), exponent: wide(exponent) }) as Typed;
    return { typed, as: type };
  },
});

/** input · 2^other */
export const ldexp = torchCall({
  name: "ldexp",
  in: both,
  params: { input: tensor, other: tensor },
  inPlace: true,
  savesFor: { input: ["other"], other: ["result"] },
  build: (ctx, { input, other }) => {
    const { emit } = ctx;
    const { x, y, as } = floatOperands(ctx, input, other);
    if (isFloat(input.dtype)) refuseKinds("ldexp_cpu_exp", typeOf(other), ["bool"]);
    const power = inSteps(
      emit,
      as,
      [y],
      () => emit.op("Pow", [emit.scalar(2, x.dtype), y]),
      ({ op }, d, _y, z) => [op("Mul", d, op("Mul", z, Math.LN2))],
    );
    return { typed: emit.op("Mul", [x, rounded(emit, power, as)]), as };
  },
});
