/** What is left of a division: remainders of either sign, and the quotient without them. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { castTo, truncated } from "../../ops/write.ts";
import { isTensor, operand, type Scalar, tensor } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { heldAs, type TorchType } from "../promotion.ts";
import { heldBy, rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { underivable } from "./derivatives.ts";
import { checked, checks, failed } from "./numberChecks.ts";
import { type TypedCall, typedCall, withTypedSlopes } from "./typedKernels.ts";

type Operand = Tensor | Scalar;

const typed = (value: Value, as: TorchType): Typed => ({ typed: value, as });

/** Whether a remainder has the sign that the divisor has not. */
function isAcross(emit: Emit, rest: Value, y: Value): Value {
  const zero = emit.scalar(0, y.dtype);
  const differ = emit.op("Xor", [emit.op("Less", [rest, zero]), emit.op("Less", [y, zero])]);
  return emit.op("And", [emit.op("Not", [emit.op("Equal", [rest, zero])]), differ]);
}

/** ⌊x / y⌋ of floats: PyTorch takes the remainder from x before it divides, and rounds what is left. */
export function floorOf(emit: Emit, x: Value, y: Value): Value {
  const rest = emit.op("Mod", [x, y], { fmod: 1 });
  const even = emit.op("Div", [emit.op("Sub", [x, rest]), y]);
  const lower = emit.op("Sub", [even, castTo(emit, isAcross(emit, rest, y), x.dtype)]);
  const zero = emit.scalar(0, y.dtype);
  const ratio = emit.op("Div", [x, y]);
  const whole = emit.op("Round", [lower]);
  const signed = emit.op("Where", [
    emit.op("Equal", [whole, zero]),
    emit.op("Mul", [ratio, zero]),
    whole,
  ]);
  return emit.op("Where", [emit.op("Equal", [y, zero]), ratio, signed]);
}

/** The divisor of integers, none of which can be divided by 0: a run refuses what is not known before it. */
export function withoutZeros(
  { emit, store }: CallContext,
  divided: Operand,
  divisor: Operand,
  y: Value,
): Value {
  if ([divided, divisor].some((x) => isTensor(x) && numel(x.shape) === 0)) return y;
  if (isTensor(divisor) && !store.isKnown(divisor)) {
    const isZero = emit.op("Equal", [castTo(emit, y, "int64"), emit.scalar(0, "int64")]);
    return checked(emit, checks.divisor, y, emit.op("Not", [isZero]));
  }
  const numbers = isTensor(divisor) ? store.numbers(divisor) : [divisor.value];
  if (!numbers.includes(0)) return y;
  throw failed(checks.divisor);
}

/** input − other · ⌊input / other⌋: the sign of the divisor. */
function modulo(ctx: CallContext, a: Operand, b: Operand): Typed {
  const { emit } = ctx;
  const type = ctx.promote(a, b);
  refuseKinds("remainder_cpu", type, ["bool", "complex"]);
  const [x, y] = [heldBy(ctx, a, type), heldBy(ctx, b, type)];
  if (!isFloat(heldAs(type).dtype)) {
    return typed(emit.op("Mod", [x, withoutZeros(ctx, a, b, y)]), type);
  }
  const rest = () => {
    const own = emit.op("Mod", [x, y], { fmod: 1 });
    return emit.op("Where", [isAcross(emit, own, y), emit.op("Add", [own, y]), own]);
  };
  const made = withQuotient(typedCall(ctx, [a, b], [x, y], type), rest, floorOf);
  if (isTensor(a) || !made.requiresGrad) return typed(made, type);
  const refusal = torchError("RuntimeError", "derivative for aten::remainder is not implemented");
  return typed(underivable(emit, made, [y], refusal), type);
}

/** A remainder of x / y with PyTorch's gradient: dx = d whatever y is, dy = −d · whole. */
const withQuotient = (
  call: TypedCall,
  rest: () => Value,
  wholeOf: (to: Emit, x: Value, y: Value, type: TorchType) => Value,
): Value =>
  withTypedSlopes(call, rest, ({ op, whole }, d, sides) => {
    const quotient = whole("Div", sides, (to, type, [x, y]) =>
      wholeOf(to, x as Value, y as Value, type),
    );
    return [d, op("Mul", op("Neg", d), quotient)];
  });

export const remainder = torchCall({
  name: "remainder",
  in: ["torch", "Tensor"],
  params: { input: operand, other: operand },
  inPlace: true,
  savesFor: { other: ["input", "other"] },
  build: (ctx, { input, other }) => modulo(ctx, input, other),
});

export const fmod = torchCall({
  name: "fmod",
  in: ["torch", "Tensor"],
  params: { input: tensor, other: operand },
  inPlace: true,
  savesFor: { other: ["input", "other"] },
  build: (ctx, { input, other }) => {
    const { emit } = ctx;
    const type = ctx.promote(input, other);
    refuseKinds("fmod_cpu", type, ["bool", "complex"]);
    const sides = [input, other].map((side) => heldBy(ctx, side, type));
    const [x, y] = sides as [Value, Value];
    if (!isFloat(heldAs(type).dtype)) {
      const divisor = withoutZeros(ctx, input, other, y);
      return typed(emit.op("Mod", [x, divisor], { fmod: 1 }), type);
    }
    const rest = () => emit.op("Mod", [x, y], { fmod: 1 });
    const whole = (to: Emit, a: Value, b: Value, as: TorchType) =>
      truncated(to, rounded(to, to.op("Div", [a, b]), as));
    return typed(withQuotient(typedCall(ctx, [input, other], [x, y], type), rest, whole), type);
  },
});
