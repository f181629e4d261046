/** What PyTorch says where factors do not fit. */
import { torchError } from "../../errors.ts";
import { numel } from "../../graph/tensor.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName, nativeNames } from "../typeNames.ts";

export const sizeText = (shape: readonly number[]): string => `[${shape.join(", ")}]`;

const transposeHint = "Did you mean .transpose(-2, -1) of the second factor?";

export function matrixMisfit(
  name: string,
  a: readonly [number, number],
  b: readonly [number, number],
) {
  const hint = a[1] === b[1] ? transposeHint : undefined;
  return torchError(
    "RuntimeError",
    `${name}: mat1 and mat2 shapes cannot be multiplied (${a.join("x")} and ${b.join("x")})`,
    hint,
  );
}

export const batchMisfit = (
  wanted: readonly [number, number],
  found: readonly [number, number],
  fitsTransposed: boolean,
) =>
  torchError(
    "RuntimeError",
    `Expected size for first two dimensions of batch2 tensor to be: ${sizeText(wanted)} but got: ${sizeText(found)}.`,
    fitsTransposed ? transposeHint : undefined,
  );

export const vectorMisfit = (a: number, b: number) =>
  torchError(
    "RuntimeError",
    `inconsistent tensor size, expected tensor [${a}] and src [${b}] to have the same number of elements, but got ${a} and ${b} elements respectively`,
  );

export const matrixVectorMisfit = (input: number, rows: number, k: number, length: number) =>
  torchError(
    "RuntimeError",
    `size mismatch, got input (${input}), mat (${rows}x${k}), vec (${length})`,
  );

export function needRank(what: string, tensor: Tensor, rank: number): void {
  const found = tensor.shape.length;
  if (found !== rank) throw torchError("RuntimeError", `${what}, got ${found}-D tensor`);
}

export const nativeName = (tensor: Tensor): string => nativeNames[typeOf(tensor)];
export const typeName = (tensor: Tensor): string => cppName(typeOf(tensor));

/** Factors of one product have one type. */
export function needSameType(a: Tensor, b: Tensor): void {
  if (typeOf(a) === typeOf(b)) return;
  throw torchError(
    "RuntimeError",
    `expected m1 and m2 to have the same dtype, but got: ${nativeName(a)} != ${nativeName(b)}`,
    "Convert one of them with .to(dtype)",
  );
}

/** The same, as batched products say it. */
export function needSameScalarType(a: Tensor, b: Tensor): void {
  if (typeOf(a) !== typeOf(b))
    throw torchError(
      "RuntimeError",
      `expected scalar type ${typeName(a)} but found ${typeName(b)}`,
      "Convert one of them with .to(dtype)",
    );
}

/** The same, as sums over axes of both say it. */
export function needOneType(a: Tensor, b: Tensor): void {
  if (typeOf(a) !== typeOf(b))
    throw torchError("RuntimeError", "both inputs should have same dtype");
}

/** A batched product of nothing is made without a kernel, in the type of its second factor. */
export const isOfNothing = (...factors: readonly Tensor[]): boolean =>
  factors.some(({ shape }) => numel(shape) === 0);

/** The same types, where PyTorch multiplies batches of what has elements. */
export function needSameBatchType(a: Tensor, b: Tensor): void {
  if (!isOfNothing(a, b)) needSameScalarType(a, b);
}

/** PyTorch's refusal to expand `tensor` to `shape`, which it tells of as it was `asked`. */
export function needExpandable(
  tensor: Tensor,
  shape: readonly number[],
  asked: readonly number[] = shape,
): void {
  const extra = shape.length - tensor.shape.length;
  if (extra < 0)
    throw torchError(
      "RuntimeError",
      `expand(torch.${typeName(tensor)}Tensor{${sizeText(tensor.shape)}}, size=${sizeText(asked)}): the number of sizes provided (${shape.length}) must be greater or equal to the number of dimensions in the tensor (${tensor.shape.length})`,
    );
  const axis = tensor.shape.findLastIndex((size, at) => size !== 1 && size !== shape[at + extra]);
  if (axis >= 0)
    throw torchError(
      "RuntimeError",
      `The expanded size of the tensor (${shape[axis + extra]}) must match the existing size (${tensor.shape[axis]}) at non-singleton dimension ${axis + extra}.  Target sizes: ${sizeText(asked)}.  Tensor sizes: ${sizeText(tensor.shape)}`,
    );
}

/** The batch of a product of batches. */
export function broadcastBatch(a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  const size = (of: readonly number[], axis: number) => of[axis - rank + of.length] ?? 1;
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  const misfit = axes.findLast(
    (axis) => size(a, axis) !== size(b, axis) && size(a, axis) !== 1 && size(b, axis) !== 1,
  );
  if (misfit !== undefined)
    throw torchError(
      "RuntimeError",
      `The size of tensor a (${size(a, misfit)}) must match the size of tensor b (${size(b, misfit)}) at non-singleton dimension ${misfit}`,
    );
  return axes.map((axis) => (size(a, axis) === 1 ? size(b, axis) : size(a, axis)));
}
