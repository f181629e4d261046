/** PyTorch's type promotion. https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc */
import { type DType, isFloat, isHalf } from "../graph/tensor.ts";
import { type DTypeArg, isTensor, type Scalar } from "./arguments.ts";
import type { Tensor } from "./tensor.ts";

/** A torch.dtype by name. */
export type TorchType = DType | "complex64" | "complex128";

export const isComplexType = (type: TorchType): type is "complex64" | "complex128" =>
  type === "complex64" || type === "complex128";

/** The type of a tensor as PyTorch names it. */
export const typeOf = (tensor: { dtype: DType; isComplex: boolean }): TorchType =>
  tensor.isComplex ? (tensor.dtype === "float64" ? "complex128" : "complex64") : tensor.dtype;

/** How a type is held: complex as pairs of its part. */
export const heldAs = (type: TorchType): DTypeArg =>
  isComplexType(type)
    ? { dtype: type === "complex128" ? "float64" : "float32", isComplex: true }
    : { dtype: type, isComplex: false };

/** The type in which nodes compute: half precision in float32, parts of complex numbers. */
export function computeType(type: TorchType): DType {
  if (isComplexType(type)) return heldAs(type).dtype;
  return isHalf(type) ? "float32" : type;
}

const rank: Readonly<Record<TorchType, number>> = {
  bool: 0,
  uint8: 1,
  int8: 1,
  int16: 2,
  int32: 3,
  int64: 4,
  float16: 5,
  bfloat16: 5,
  float32: 6,
  float64: 7,
  complex64: 8,
  complex128: 9,
};

/** The smallest type that holds both (torch.promote_types). */
export function promoteTypes(a: TorchType, b: TorchType): TorchType {
  if (a === b) return a;
  if (rank[a] === rank[b]) return rank[a] === 1 ? "int16" : "float32";
  const [low, high] = rank[a] < rank[b] ? [a, b] : [b, a];
  if (low === "uint8" && high === "int8") return "int16";
  if (high === "complex64" && low === "float64") return "complex128";
  return high;
}

/** The smallest and the largest number of a short integer type. */
export function integerRange(type: TorchType): readonly [number, number] | null {
  if (type === "uint8") return [0, 255];
  const bits = { int8: 8, int16: 16, int32: 32 }[type as string];
  return bits === undefined ? null : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
}

/** A type is cast to one of its own kind or of a wider one. */
export const category = (type: TorchType): number =>
  isComplexType(type) ? 3 : isFloat(type) ? 2 : type === "bool" ? 0 : 1;

/** torch.result_type: tensors with axes decide, then 0-dim tensors, then Python numbers. */
export function resultType(
  operands: readonly (Tensor | Scalar | null | undefined)[],
  defaultFloat: DType,
): TorchType {
  let withAxes: TorchType | null = null;
  let zeroDim: TorchType | null = null;
  let number: TorchType | null = null;
  for (const operand of operands) {
    if (operand === null || operand === undefined) continue;
    if (!isTensor(operand)) number = join(number, typeOfScalar(operand, defaultFloat));
    else if (operand.shape.length > 0) withAxes = join(withAxes, typeOf(operand));
    else zeroDim = join(zeroDim, typeOf(operand));
  }
  return combine(withAxes, combine(zeroDim, number)) ?? defaultFloat;
}

const join = (a: TorchType | null, b: TorchType): TorchType =>
  a === null ? b : promoteTypes(a, b);

/** The same of tensors that only the gradient has. */
export function resultTypeOfHeld(
  operands: readonly { readonly type: TorchType; readonly hasAxes: boolean }[],
): TorchType {
  const joined = (hasAxes: boolean) =>
    operands
      .filter((x) => x.hasAxes === hasAxes)
      .reduce<TorchType | null>((type, x) => join(type, x.type), null);
  return combine(joined(true), joined(false)) as TorchType;
}

/** The lower-priority type counts only where it is of a higher category. */
function combine(high: TorchType | null, low: TorchType | null): TorchType | null {
  if (high === null || low === null) return high ?? low;
  if (category(low) <= category(high)) return high;
  // Floats keep their precision beside complex numbers without axes.
  if (category(high) === 2) return high === "float64" ? "complex128" : "complex64";
  return low;
}

export function typeOfScalar(scalar: Scalar, defaultFloat: DType): TorchType {
  switch (scalar.kind) {
    case "bool":
      return "bool";
    case "int":
      return "int64";
    case "float":
      return defaultFloat;
    case "complex":
      return defaultFloat === "float64" ? "complex128" : "complex64";
  }
}

/** The common type of several tensors by promotion alone, as cat and stack take it. */
export const resultTypeOfAll = (tensors: readonly Tensor[]): TorchType =>
  tensors.map(typeOf).reduce(promoteTypes);
