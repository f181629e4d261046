/**
 * Gradients of functions of several tensors: each kernel of PyTorch's derivatives.yaml gives the type
 * that its own operands have in common, and in half precision is rounded to it.
 */
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import { isTensor, type Scalar } from "../arguments.ts";
import type { CallContext } from "../call.ts";
import {
  computeType,
  heldAs,
  isComplexType,
  resultTypeOfHeld,
  type TorchType,
  typeOf,
} from "../promotion.ts";
import { numberOf, rounded, roundedBack, roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";

/** What a kernel takes or gives: the numbers as they are computed with, and the type of the tensor. */
export interface Held {
  readonly value: Value;
  readonly type: TorchType;
}

export interface TypedKernels {
  /** A kernel of one ONNX operator; a number has no type of its own, but makes floats of integers if it is one. */
  op(name: string, ...operands: readonly (Held | Scalar | number)[]): Held;
  /** A kernel of several operators, which takes its operands as that of `name` does. */
  whole(
    name: string,
    operands: readonly Held[],
    write: (emit: Emit, type: TorchType, values: readonly Value[]) => Value,
  ): Held;
  /** A tensor of the type of `like` that is filled with a number. */
  filled(like: Held, number: number): Held;
}

export type TypedSlopes = (
  kernels: TypedKernels,
  d: Held,
  inputs: readonly Held[],
  y: Held,
) => readonly Held[];

/** Truths choose between numbers, whose type they do not change. */
const isNumeric = (x: Held | Scalar | number): x is Held => isHeld(x) && x.type !== "bool";
const isHeld = (x: Held | Scalar | number): x is Held => typeof x !== "number" && "type" in x;
const isFraction = (x: Held | Scalar | number): boolean =>
  typeof x === "number" ? !Number.isInteger(x) : !isHeld(x) && x.kind === "float";
const hasAxes = ({ value }: Held): boolean => value.shape.length > 0;

/** A second factor, and a divisor, without axes are not rounded to the type of the kernel. */
const takesAsIs = (name: string, at: number, x: Held): boolean =>
  at === 1 && !hasAxes(x) && (name === "Mul" || name === "Div");

/** Integers wrap in their own type, which ONNX Runtime does not compute in. */
const dtypeOf = (type: TorchType) => (isFloat(heldAs(type).dtype) ? computeType(type) : "int64");

/** `use` reads an operand for a kernel. */
export function kernels(emit: Emit, use: (x: Held) => Value = ({ value }) => value): TypedKernels {
  const made = (value: Value, type: TorchType): Held => ({
    value: isFloat(value.dtype)
      ? rounded(emit, value, type)
      : castTo(emit, castTo(emit, value, heldAs(type).dtype), "int64"),
    type,
  });
  const typeOfAll = (operands: readonly Held[]): TorchType =>
    operands.length === 0
      ? "bool"
      : resultTypeOfHeld(operands.map((x) => ({ type: x.type, hasAxes: hasAxes(x) })));
  const unrounded = (x: Held, type: TorchType): Value => castTo(emit, use(x), dtypeOf(type));
  const heldBy = (x: Held, type: TorchType): Value =>
    x.type === type ? unrounded(x, type) : rounded(emit, unrounded(x, type), type);
  const taken = (name: string, x: Held, at: number, type: TorchType): Value =>
    takesAsIs(name, at, x) ? unrounded(x, type) : heldBy(x, type);
  return {
    op(name, ...operands) {
      const common = typeOfAll(operands.filter(isNumeric));
      const type = operands.some(isFraction) && !isFloat(heldAs(common).dtype) ? "float32" : common;
      const given = (x: Held | Scalar | number, at: number): Value => {
        if (typeof x === "number") return emit.scalar(x, dtypeOf(type));
        if (!isHeld(x)) return emit.scalar(x.value, dtypeOf(type));
        return x.type === "bool" ? x.value : taken(name, x, at, type);
      };
      const value = emit.op(name, operands.map(given));
      return value.dtype === "bool" ? { value, type: "bool" } : made(value, type);
    },
    whole(name, operands, write) {
      const type = typeOfAll(operands);
      const given = operands.map((x, at) => taken(name, x, at, type));
      return made(write(emit, type, given), type);
    },
    filled: ({ type }, number) => ({ value: numberOf(emit, number, type), type }),
  };
}

/**
 * The calls that PyTorch writes another of: each gives the type that its own operands have in common, and
 * each use of a half precision has a gradient of its own, which is rounded before they are summed.
 */
export const typedCalls = ({ emit }: CallContext): TypedKernels =>
  kernels(emit, ({ value, type }) => (roundsSteps(type) ? roundedBack(emit, value, type) : value));

/** A tensor as it stands where it is of floats, else in `type`. */
export const heldFloat = (ctx: CallContext, x: Tensor, type: TorchType): Held =>
  isFloat(x.dtype) ? { value: ctx.read(x), type: typeOf(x) } : { value: ctx.as(x, type), type };

/** Whether a half precision meets another type. */
export const mixesHalf = (tensors: readonly (Tensor | null)[]): boolean => {
  const types = new Set(tensors.filter((x) => x !== null).map(typeOf));
  return types.size > 1 && [...types].some(roundsSteps);
};

export interface TypedCall {
  readonly ctx: CallContext;
  readonly operands: readonly (Tensor | Scalar)[];
  /** The operands as the call computes with them, all real. */
  readonly values: readonly Value[];
  /** The type that the call computes in. */
  readonly type: TorchType;
  /** The type of the result: an edited tensor keeps its own. */
  readonly result: TorchType;
}

/** A call on `operands`, of which the first is the one that an edit writes. */
export const typedCall = (
  ctx: CallContext,
  operands: readonly (Tensor | Scalar)[],
  values: readonly Value[],
  type: TorchType,
): TypedCall => ({ ctx, operands, values, type, result: resultOf(ctx, operands[0], type) });

/** What an edit of half precision by wider numbers gives is of the edited tensor's type. */
export function resultOf(
  ctx: CallContext,
  edited: Tensor | Scalar | undefined,
  type: TorchType,
): TorchType {
  const isEdited = ctx.inPlace && edited !== undefined && isTensor(edited);
  return isEdited && roundsSteps(typeOf(edited)) ? typeOf(edited) : type;
}

/** What `make` writes of the operands, with the gradients of `slopes`. */
export function withTypedSlopes(
  { ctx, operands, values, type, result }: TypedCall,
  make: () => Value,
  slopes: TypedSlopes,
): Value {
  if (!values.some(({ requiresGrad }) => requiresGrad)) return make();
  const inputs = operands.map((x, at): Held => {
    const isOwn = isTensor(x) && x.dtype !== "bool";
    return isOwn ? { value: ctx.read(x), type: typeOf(x) } : { value: values[at] as Value, type };
  });
  const written = ctx.emit.grouped(
    values,
    () => [make()],
    (backward, [given]) => {
      if (!given) return values.map(() => null);
      const held = (value: Value): Held => ({
        value: rounded(backward, value, result),
        type: result,
      });
      const slopesOf = slopes(kernels(backward), held(given), inputs, held(written[0] as Value));
      return slopesOf.map(({ value }, at) => castTo(backward, value, (values[at] as Value).dtype));
    },
  );
  return written[0] as Value;
}

/** The same where one of the types is half precision; else the gradients are those of the nodes. */
export function inTypedSteps(call: TypedCall, make: () => Value, slopes: TypedSlopes): Value {
  const types = [call.type, call.result, ...call.operands.filter(isTensor).map(typeOf)];
  const isReal = !types.some(isComplexType);
  return isReal && types.some(roundsSteps) ? withTypedSlopes(call, make, slopes) : make();
}
