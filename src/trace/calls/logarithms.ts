/** Functions of two numbers: sums of exponentials, products with logarithms, distances, angles, powers. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, isInteger } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import { operand, type Scalar, tensor } from "../arguments.ts";
import { type CallContext, type Namespace, type Result, type Typed, torchCall } from "../call.ts";
import { needFloats, noComplexHalfKernel, refuseKinds, truthDifference } from "../kernels.ts";
import {
  computeType,
  heldAs,
  isComplexType,
  resultTypeOfHeld,
  type TorchType,
  typeOf,
} from "../promotion.ts";
import { heldBy, rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { mul, pow } from "./arithmetic.ts";
import { angleOf, type PartSteps } from "./complexFunctions.ts";
import { refuseRealGradient, underivable } from "./derivatives.ts";
import { logSum } from "./scan.ts";
import {
  type Held,
  inTypedSteps,
  type TypedSlopes,
  typedCall,
  withTypedSlopes,
} from "./typedKernels.ts";

const both: readonly Namespace[] = ["torch", "Tensor"];
type Operand = Tensor | Scalar;

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
      const [x, y] = [heldBy(ctx, input, as), heldBy(ctx, other, as)];
      const scaled = (to: Emit, value: Value, by: number) =>
        base === Math.E ? value : to.op("Mul", [value, to.scalar(by, value.dtype)]);
      const rate = Math.log(base);
      const value = withTypedSlopes(
        typedCall(ctx, [input, other], [x, y], as),
        () => scaled(emit, logSum(emit, scaled(emit, x, rate), scaled(emit, y, rate)), 1 / rate),
        ({ op }, d, [first, second]) => {
          // d / (1 + base^(b − a))
          const share = (a: Held, b: Held) => {
            const distance = op("Sub", b, a);
            const power = base === Math.E ? op("Exp", distance) : op("Pow", base, distance);
            return op("Div", d, op("Add", power, 1));
          };
          const [a, b] = [first as Held, second as Held];
          return [share(a, b), share(b, a)];
        },
      );
      // The gradient is of their difference.
      const isOfTruths = [input, other].some(({ dtype }) => dtype === "bool");
      const made = isOfTruths ? underivable(emit, value, [value], truthDifference()) : value;
      return { typed: made, as };
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
      const logOf = (to: Emit, of: Value) =>
        to.op("Log", [shift ? to.op("Add", [of, to.scalar(1, of.dtype)]) : of]);
      const guarded = (to: Emit, product: Value) => {
        const isZero = to.op("Equal", [x, to.scalar(0, x.dtype)]);
        const isZeroOfNumber = to.op("And", [isZero, to.op("Not", [to.op("IsNaN", [y])])]);
        return to.op("Where", [isZeroOfNumber, to.scalar(0, x.dtype), product]);
      };
      const value = withTypedSlopes(
        typedCall(ctx, [input, other], [x, y], as),
        () => guarded(emit, emit.op("Mul", [x, rounded(emit, logOf(emit, y), as)])),
        ({ op, whole }, d, [factor, argument]) => {
          const [a, b] = [factor as Held, argument as Held];
          const of = shift ? op("Add", b, 1) : b;
          const isMasked = op("And", op("Equal", a, 0), op("LessOrEqual", b, -shift));
          const product = whole("Log", [d, b], (to, type, [given, y]) => {
            const log = rounded(to, logOf(to, y as Value), type);
            return gradientTimesLog(to, given as Value, log, y as Value);
          });
          return [op("Where", isMasked, 0, product), op("Div", op("Mul", d, a), of)];
        },
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
  return { x: heldBy(ctx, a, as), y: heldBy(ctx, b, as), as };
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
    const call = typedCall(ctx, [input, other], [x, y], as);
    const value = withTypedSlopes(call, length, ({ op }, d, sides, z) =>
      sides.map((side) => op("Div", op("Mul", d, side), z)),
    );
    return { typed: value, as };
  },
});

const angleSlopes: TypedSlopes = ({ op }, d, [y, x]) => {
  const [above, right] = [y as Held, x as Held];
  const norm = op("Add", op("Mul", above, above), op("Mul", right, right));
  const inverse = op("Where", op("Equal", norm, 0), 0, op("Reciprocal", norm));
  const part = (side: Held) => op("Mul", op("Mul", d, side), inverse);
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
    const angle = inTypedSteps(typedCall(ctx, [input, other], [x, y], as), write, angleSlopes);
    if (input.dtype !== "bool") return { typed: angle, as };
    const refusal = torchError(
      "NotImplementedError",
      "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
    );
    return { typed: underivable(ctx.emit, angle, [y], refusal), as };
  },
});
/** Integers are squared and negated before they are cast to the type of the angle. */
function inOwnTypes(tensors: readonly Tensor[], sides: readonly Value[]): PartSteps | undefined {
  if (!tensors.some(({ dtype }) => isInteger(dtype))) return undefined;
  const taken = (emit: Emit, side: Value, of: (whole: Value) => Value): Value => {
    const dtype = tensors[sides.indexOf(side)]?.dtype ?? side.dtype;
    if (!isInteger(dtype)) return of(side);
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

/** input · 2^other, whose gradients are d · 2^other and d · result · ln 2. */
export const ldexp = torchCall({
  name: "ldexp",
  in: both,
  params: { input: tensor, other: tensor },
  inPlace: true,
  savesFor: { input: ["other"], other: ["result"] },
  build: (ctx, { input, other }) => {
    const { emit } = ctx;
    if (input.isComplex || other.isComplex) return complexLdexp(ctx, input, other);
    if (isFloat(input.dtype)) refuseKinds("ldexp_cpu_exp", typeOf(other), ["bool"]);
    const ofPower = typeOfPower(ctx, input, other);
    const as = resultTypeOfHeld([
      { type: typeOf(input), hasAxes: input.shape.length > 0 },
      { type: ofPower, hasAxes: other.shape.length > 0 },
    ]);
    const values = [heldBy(ctx, input, as), ctx.as(other, as)];
    const write = () => {
      const exponent = ctx.as(other, ofPower);
      const power = emit.op("Pow", [emit.scalar(2, exponent.dtype), exponent]);
      const held = castTo(emit, rounded(emit, power, ofPower), computeType(as));
      return emit.op("Mul", [values[0] as Value, held]);
    };
    const own = ctx.promoteToFloat(other);
    const exponent: Held = { value: ctx.as(other, own), type: own };
    const slopes: TypedSlopes = ({ op }, d, _, y) => [
      op("Mul", d, op("Pow", 2, exponent)),
      op("Mul", op("Mul", d, y), Math.LN2),
    ];
    return {
      typed: withTypedSlopes(typedCall(ctx, [input, other], values, as), write, slopes),
      as,
    };
  },
});

/** The same where one of both is complex: PyTorch's gradient of the other one is complex too. */
function complexLdexp(ctx: CallContext, input: Tensor, other: Tensor): Result {
  const besides = (side: Tensor): Tensor =>
    side.isComplex || !isFloat(side.dtype)
      ? side
      : ctx.store.fromValue(refuseRealGradient(ctx, ctx.store.read(side), side), false);
  // 2 is of the complex type, without axes.
  const exponent = input.isComplex ? wideExponent(ctx, other) : other;
  const two: Scalar = { kind: "float", value: 2 };
  const { typed, as } = pow.build(ctx, { input: two, exponent: besides(exponent) }) as Typed;
  const held = castTo(ctx.emit, typed, heldAs(as).dtype);
  const power = ctx.store.fromValue(held, isComplexType(as));
  return mul.build(ctx, { input: besides(input), other: power });
}

/** An exponent beside a complex base without axes. */
function wideExponent(ctx: CallContext, other: Tensor): Tensor {
  const { dtype } = other;
  if (dtype !== "bfloat16" && dtype !== "float16") return other;
  if (other.shape.length > 0) throw noComplexHalfKernel("pow", dtype);
  return ctx.store.fromValue(ctx.read(other), false);
}

/** 2 is a number beside single precision and integers, and else a tensor of the input's type without axes. */
function typeOfPower(ctx: CallContext, input: Tensor, other: Tensor): TorchType {
  if (!isFloat(input.dtype) || input.dtype === "float32") return ctx.promoteToFloat(other);
  return resultTypeOfHeld([
    { type: typeOf(input), hasAxes: false },
    { type: typeOf(other), hasAxes: other.shape.length > 0 },
  ]);
}
