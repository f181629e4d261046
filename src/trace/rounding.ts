/** Results between the kernels that PyTorch makes a call of: each is rounded to the call's type. */
import type { Emit, Value } from "../graph/graph.ts";
import { type DType, isFloat, isHalf } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { castTo } from "../ops/write.ts";
import { isTensor, type Scalar } from "./arguments.ts";
import type { CallContext } from "./call.ts";
import { computeType, isComplexType, type TorchType, typeOf } from "./promotion.ts";
import type { Tensor } from "./tensor.ts";

/** Whether PyTorch rounds between the kernels of a call of this type. */
export const roundsSteps = (type: TorchType): boolean => !isComplexType(type) && isHalf(type);

/** `x`, computed in single precision, as half precision holds it. */
export const rounded = (emit: Emit, x: Value, type: TorchType): Value =>
  roundsSteps(type) ? castTo(emit, castTo(emit, x, type as DType), x.dtype) : x;

/** An operand as the type holds it, where PyTorch takes it as one of the type before it computes. */
export const heldBy = (ctx: CallContext, x: Tensor | Scalar, type: TorchType): Value =>
  isTensor(x) && typeOf(x) === type ? ctx.as(x, type) : rounded(ctx.emit, ctx.as(x, type), type);

/** A number in the type that `type` is computed in, as `type` holds it. */
export const numberOf = (emit: Emit, number: number, type: TorchType): Value =>
  rounded(emit, emit.scalar(number, computeType(type)), type);

/** The same where PyTorch's gradient passes in single precision. */
export function roundedForward(emit: Emitter, x: Value, type: TorchType): Value {
  if (!roundsSteps(type)) return x;
  const [made] = emit.grouped(
    [x],
    () => [rounded(emit, x, type)],
    (_, [d]) => [d ?? null],
  );
  return made as Value;
}

/**
 * Writes nodes of which each is a kernel of PyTorch's: in half precision what it gives is rounded,
 * and so is the gradient that comes back through it.
 */
export function inKernels(emit: Emit, type: TorchType): Emit {
  if (!roundsSteps(type)) return emit;
  const held = (x: Value) => (isFloat(x.dtype) ? rounded(emit, x, type) : x);
  return {
    ...writes(emit),
    op: (name, inputs, attrs) => held(emit.op(name, inputs, attrs)),
    ops: (name, inputs, attrs, outputs) => emit.ops(name, inputs, attrs, outputs).map(held),
  };
}

/**
 * The same for a call that PyTorch writes of others: each use of a value gives a gradient of its
 * own, which is rounded before they are summed.
 */
export function inCalls(emit: Emitter, type: TorchType): Emit {
  const step = inKernels(emit, type);
  if (step === emit) return emit;
  const used = (x: Value | null) => x && roundedBack(emit, x, type);
  return {
    ...step,
    op: (name, inputs, attrs) => step.op(name, inputs.map(used), attrs),
  };
}

/** A number as it is, whose gradient is rounded. */
export function roundedBack(emit: Emitter, x: Value, type: TorchType): Value {
  if (!x.requiresGrad) return x;
  const [made] = emit.grouped(
    [x],
    () => [emit.op("Identity", [x])],
    (backward, [d]) => [d ? rounded(backward, d, type) : null],
  );
  return made as Value;
}

const writes = ({ constant, scalar, ints, grouped, gradMode }: Emit) => ({
  constant,
  scalar,
  ints,
  grouped,
  gradMode,
});
