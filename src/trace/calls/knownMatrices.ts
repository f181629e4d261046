/** Matrices whose numbers are known where the call is traced, and what is computed from them. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, isFloat, isHalf, type Numbers, numel } from "../../graph/tensor.ts";
import { roundTo } from "../../ops/kernels/round.ts";
import { swapLastTwo } from "../../ops/write.ts";
import type { CallContext, Namespace, Typed } from "../call.ts";
import { type Matrix, matrix } from "../decompositions.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { leaveToPython } from "../writtenInPython.ts";

export const place: readonly Namespace[] = ["torch.linalg"];
export const everywhere: readonly Namespace[] = ["torch", "Tensor"];

/** The matrices on the last two axes, in order. */
export function matricesOf(
  ctx: CallContext,
  name: string,
  input: Tensor,
  precision: "full" | "half too" = "full",
): Matrix[] {
  if (input.isComplex) leaveToPython();
  if (!isFloat(input.dtype) || (isHalf(input.dtype) && precision === "full"))
    throw torchError(
      "RuntimeError",
      `${name}: Low precision dtypes not supported. Got ${cppName(typeOf(input))}`,
    );
  if (input.shape.length < 2)
    throw torchError(
      "RuntimeError",
      `${name}: The input tensor A must have at least 2 dimensions.`,
    );
  const [rows, columns] = input.shape.slice(-2) as [number, number];
  const numbers = Float64Array.from(ctx.store.numbers(input));
  const size = rows * columns;
  return Array.from({ length: numel(input.shape.slice(0, -2)) }, (_, k) =>
    matrix(rows, columns, numbers.subarray(k * size, (k + 1) * size)),
  );
}

export function squareMatricesOf(
  ctx: CallContext,
  name: string,
  input: Tensor,
  precision: "full" | "half too" = "full",
): Matrix[] {
  const [rows, columns] = input.shape.slice(-2);
  if (input.shape.length >= 2 && rows !== columns)
    throw torchError(
      "RuntimeError",
      `${name}: A must be batches of square matrices, but they are ${rows} by ${columns} matrices`,
    );
  return matricesOf(ctx, name, input, precision);
}

/** What has no gradient here. */
export function refuseGradient(ctx: CallContext, name: string, input: Tensor): void {
  if (ctx.emit.gradMode && ctx.store.requiresGrad(input))
    throw torchError(
      "UnsupportedCall",
      `the gradient of ${name} is not supported`,
      "Compute the factors under torch.no_grad(), or of a detached matrix",
    );
}

export const batchOf = (input: Tensor): readonly number[] => input.shape.slice(0, -2);

/** Arrays of one size each, as a constant of the tensor's type under batch axes. */
export function stacked(
  ctx: CallContext,
  input: Tensor,
  shape: readonly number[],
  arrays: readonly ArrayLike<number>[],
): Value {
  const full = [...batchOf(input), ...shape];
  const data: Numbers = allocate(input.dtype, numel(full));
  const size = numel(shape);
  arrays.forEach((array, k) => {
    data.set(Array.from(array), k * size);
  });
  roundTo(input.dtype, data);
  return ctx.emit.constant({ dtype: input.dtype, shape: full, data });
}

export const given = (typed: Value, input: Tensor): Typed => ({ typed, as: input.dtype });

/**
 * Known numbers of the matrix `of` under a gradient of their own, which is written with what it is given
 * (the results, with their history), so that it can be differentiated again.
 */
export function differentiable(
  emit: Emit,
  of: Value,
  numbers: readonly Value[],
  gradient: (emit: Emit, d: readonly (Value | null)[], made: readonly Value[]) => Value | null,
): readonly Value[] {
  const made: readonly Value[] = emit.grouped(
    [of],
    () => numbers.map((value) => emit.op("Identity", [value])),
    (backward, d) => [gradient(backward, d, made)],
  );
  return made;
}

/** A⁻¹, which `numbers` are: its gradient is −A⁻ᵀ · d · A⁻ᵀ, of a triangle that part of it. */
export function knownInverse(
  emit: Emit,
  of: Value,
  numbers: Value,
  part = (_emit: Emit, gradient: Value): Value => gradient,
): Value {
  const [made] = differentiable(emit, of, [numbers], (backward, [d = null], [y]) => {
    const turned = swapLastTwo(backward, y as Value);
    const product = backward.op("MatMul", [turned, d]);
    return part(backward, backward.op("Neg", [backward.op("MatMul", [product, turned])]));
  });
  return made as Value;
}
