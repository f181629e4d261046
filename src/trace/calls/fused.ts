/** Arithmetic with three operands. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isScalar, isTensor, operand, type Scalar } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import {
  differenceOfTruths,
  refuseComplexHalf,
  refuseKinds,
  refuseWholeDivision,
} from "../kernels.ts";
import { isComplexType, typeOf } from "../promotion.ts";
import { heldBy } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { alpha, scaledBy, times, typed } from "./arithmetic.ts";
import { complexQuotient } from "./complexNumbers.ts";
import { besideComplex, bFloatRefused, realDivisorRefused, underivable } from "./derivatives.ts";
import { nativeName } from "./matmulErrors.ts";
import { type Held, inTypedSteps, typedCall } from "./typedKernels.ts";

const halves = ["bfloat16", "float16"] as const;

/** input + value · tensor1 · tensor2 */
export const addcmul = torchCall({
  name: "addcmul",
  in: ["torch", "Tensor"],
  params: { input: operand, tensor1: operand, tensor2: operand, value: alpha },
  inPlace: true,
  savesFor: { tensor1: ["tensor2"], tensor2: ["tensor1"] },
  build: (ctx, { input, tensor1, tensor2, value }) => {
    const type = ctx.promote(...[input, tensor1, tensor2].filter(isTensor));
    refuseKinds("addcmul_cpu_out", type, ["bool"]);
    refuseComplexHalf("addcmul_cpu_out", [input, tensor1, tensor2]);
    const values = [input, tensor1, tensor2].map((x) => heldBy(ctx, x, type));
    const [sum, a, b] = values as [Value, Value, Value];
    const write = () => {
      const product = times(ctx, scaledBy(ctx, a, value, type), b, type);
      const derived =
        value.kind === "complex" ? bFloatRefused(ctx, product, tensor1, tensor2) : product;
      return ctx.emit.op("Add", [sum, derived]);
    };
    const call = typedCall(ctx, [input, tensor1, tensor2], values, type);
    const made = inTypedSteps(call, write, ({ op }, d, [, x, y]) => {
      const part = (other: Held) => op("Mul", d, op("Mul", other, value));
      return [d, part(y as Held), part(x as Held)];
    });
    return typed(made, type);
  },
});

/** input + value · tensor1 / tensor2 */
export const addcdiv = torchCall({
  name: "addcdiv",
  in: ["torch", "Tensor"],
  params: { input: operand, tensor1: operand, tensor2: operand, value: alpha },
  inPlace: true,
  savesFor: { tensor1: ["tensor2"], tensor2: ["tensor1", "tensor2"] },
  build: (ctx, { input, tensor1, tensor2, value }) => {
    const type = ctx.promote(...[input, tensor1, tensor2].filter(isTensor));
    refuseWholeDivision([tensor1, tensor2].filter(isTensor).map(typeOf));
    refuseComplexHalf("addcdiv_cpu_out", [input, tensor1, tensor2], halves);
    const values = [input, tensor1, tensor2].map((x) => heldBy(ctx, x, type));
    const [sum, a, b] = values as [Value, Value, Value];
    const write = () => {
      const above = scaledBy(ctx, a, value, type);
      const ratio = isComplexType(type)
        ? complexQuotient(ctx.emit, above, b)
        : ctx.emit.op("Div", [above, b]);
      const derived = realDivisorRefused(ctx, ratio, value, tensor1, tensor2);
      return ctx.emit.op("Add", [sum, derived]);
    };
    const call = typedCall(ctx, [input, tensor1, tensor2], values, type);
    const made = inTypedSteps(call, write, ({ op, filled }, d, [, x, y]) => {
      const [above, below] = [op("Mul", x as Held, value), y as Held];
      return [
        d,
        op("Mul", d, op("Div", filled(below, value.value), below)),
        op("Mul", op("Neg", d), op("Div", above, op("Mul", below, below))),
      ];
    });
    return typed(made, type);
  },
});

/** start + weight · (end − start) */
export const lerp = torchCall({
  name: "lerp",
  in: ["torch", "Tensor"],
  params: { input: operand, end: operand, weight: operand },
  inPlace: true,
  savesFor: { input: ["weight"], end: ["weight"], weight: ["input", "end"] },
  build: (ctx, { input, end, weight }) => {
    const { emit } = ctx;
    const isNumber = isTensor(weight) && weight.shape.length === 0;
    const type = ctx.promote(...[input, end, isNumber ? weight : null].filter(isTensor));
    if (isTensor(input) && isTensor(end) && typeOf(input) !== typeOf(end))
      throw torchError(
        "RuntimeError",
        `expected dtype ${nativeName(input)} for \`end\` but got dtype ${nativeName(end)}`,
      );
    if (isTensor(input) && isTensor(weight) && !isNumber && typeOf(weight) !== type)
      throw torchError(
        "RuntimeError",
        `expected dtype ${nativeName(input)} for \`weight\` but got dtype ${nativeName(weight)}`,
      );
    const kernel = isTensor(weight) ? "lerp_kernel_tensor" : "lerp_kernel_scalar";
    refuseComplexHalf(kernel, [input, end, ...(isNumber ? [weight] : [])], halves);
    refuseKinds(kernel, type, ["bool", "integer"]);
    const sides = [input, end, weight].map((side) => besideComplex(ctx, side, type));
    const [a, b, w] = sides as [Value, Value, Value];
    const known = isScalar(weight) ? weight.value : null;
    const write = () =>
      isComplexType(type)
        ? emit.op("Add", [a, times(ctx, w, emit.op("Sub", [b, a]), type)])
        : between(emit, a, b, w, known);
    const call = typedCall(ctx, [input, end, weight], [a, b, w], type);
    const value = inTypedSteps(call, write, ({ op }, d, [from, to, share]) => [
      op("Mul", d, known === null ? op("Sub", 1, share as Held) : 1 - known),
      op("Mul", d, known ?? (share as Held)),
      op("Mul", d, op("Sub", to as Held, from as Held)),
    ]);
    return typed(withoutTruths(ctx, value, input, weight), type);
  },
});

/** The gradient of the weight is a difference, which truths do not have. */
function withoutTruths(
  ctx: CallContext,
  value: Value,
  input: Tensor | Scalar,
  weight: Tensor | Scalar,
): Value {
  if (!isTensor(weight) || !isTensor(input) || typeOf(input) !== "bool") return value;
  return underivable(ctx.emit, value, [ctx.read(weight)], differenceOfTruths());
}

/**
 * a + w (b − a), of shares from the half on b − (b − a)(1 − w), which is b at 1. `known` is w where it
 * is a number.
 */
function between(
  emit: CallContext["emit"],
  a: Value,
  b: Value,
  w: Value,
  known: number | null,
): Value {
  const rest = (to: Emit) => to.op("Sub", [to.scalar(1, w.dtype), w]);
  const way = emit.op("Sub", [b, a]);
  const fromStart = () => emit.op("Add", [a, emit.op("Mul", [w, way])]);
  const fromEnd = () => emit.op("Sub", [b, emit.op("Mul", [way, rest(emit)])]);
  const found = () => {
    if (known !== null) return Math.abs(known) < 0.5 ? fromStart() : fromEnd();
    const isSmall = emit.op("Less", [emit.op("Abs", [w]), emit.scalar(0.5, w.dtype)]);
    return emit.op("Where", [isSmall, fromStart(), fromEnd()]);
  };
  const [made] = emit.grouped(
    [a, b, w],
    () => [found()],
    (backward, [d]) =>
      d
        ? [rest(backward), w, way].map((factor) => backward.op("Mul", [d, factor]))
        : [null, null, null],
  );
  return made as Value;
}
