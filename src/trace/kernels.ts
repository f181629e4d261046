/** Element types that PyTorch has no arithmetic for: refused in its words. */
import { torchError } from "../errors.ts";
import { isFloat, isHalf } from "../graph/tensor.ts";
import { isTensor, type Scalar } from "./arguments.ts";
import { formats } from "./formats.ts";
import { category, heldAs, integerRange, isComplexType, type TorchType } from "./promotion.ts";
import type { Tensor } from "./tensor.ts";
import { cppName } from "./typeNames.ts";

export type Kind = "bool" | "integer" | "float" | "complex";

export function kindOf(type: TorchType): Kind {
  if (isComplexType(type)) return "complex";
  if (isFloat(type)) return "float";
  return type === "bool" ? "bool" : "integer";
}

/** Truths and integers. */
export const isWhole = (type: TorchType): boolean => category(type) < 2;

const nativeNames: Readonly<Record<string, string>> = {
  float16: "c10::Half",
  bfloat16: "c10::BFloat16",
  float64: "double",
  float32: "float",
  complex64: "c10::complex<float>",
  uint8: "uint8_t",
  int8: "int8_t",
  int16: "int16_t",
  int32: "int",
  int64: "int64_t",
};

/** A number that is put into a tensor has to be one of its type; negative ones may wrap. */
export function refuseOverflow({ kind, value, imaginary }: Scalar, type: TorchType): void {
  const name = nativeNames[type];
  if (name === undefined) return;
  const isInteger = kindOf(type) === "integer";
  const [low, high] = limits(kind, type);
  // The largest integer may have a fraction, which is cut off; the least may not.
  const isCutOff = (part: number) => isInteger && part < high + 1;
  const fits = (part: number) =>
    (part >= low && (part <= high || isCutOff(part))) || (!isInteger && !Number.isFinite(part));
  const isOfType = isComplexType(type) || !imaginary;
  if (isOfType && fits(value) && fits(imaginary ?? 0)) return;
  throw torchError("RuntimeError", `value cannot be converted to type ${name} without overflow`);
}

/** The same where all of `count` elements are filled: PyTorch puts a single one of half precision unseen. */
export function refuseFill(value: Scalar, type: TorchType, count: number): void {
  const isUnseen = count === 1 && !value.imaginary && !isComplexType(type) && isHalf(type);
  if (!isUnseen) refuseOverflow(value, type);
}

function limits(kind: Scalar["kind"], type: TorchType): readonly [number, number] {
  const format = formats[heldAs(type).dtype];
  if (format) return [-format.largest, format.largest];
  const [low, high] = integerRange(type) ?? [-(2 ** 63), 2 ** 63];
  return low === 0 && kind !== "float" ? [-high, high] : [low, high];
}

/** What multiplies an operand of a sum has to be of the sum's kind. */
export function refuseFactor(factor: Scalar, type: TorchType): void {
  const refuse = (text: string) => torchError("RuntimeError", text);
  if (factor.kind === "bool" && type !== "bool")
    throw refuse("Boolean alpha only supported for Boolean results.");
  if (factor.kind !== "bool" && factor.kind !== "int" && isWhole(type))
    throw refuse("For integral input tensors, argument alpha must not be a floating point number.");
  if (factor.kind === "complex" && kindOf(type) !== "complex")
    throw refuse("For non-complex input tensors, argument alpha must not be a complex number.");
  refuseOverflow(factor, type);
}

/** `kernel` is the name that PyTorch's message has: "fmod_cpu". */
export function refuseKinds(kernel: string, type: TorchType, kinds: readonly Kind[]): void {
  if (kinds.includes(kindOf(type))) throw noKernel(kernel, type);
}

export const noKernel = (kernel: string, type: TorchType) =>
  torchError("NotImplementedError", `"${kernel}" not implemented for '${cppName(type)}'`);

type Half = "bfloat16" | "float16";

/** The same of the complex type whose parts are of a half precision. */
export const noComplexHalfKernel = (kernel: string, half: Half) =>
  torchError(
    "NotImplementedError",
    `"${kernel}" not implemented for '${half === "bfloat16" ? "BComplex32" : "ComplexHalf"}'`,
  );

type Operand = Tensor | Scalar;

/** Of numbers 0, of tensors without axes 1, of others 2. */
const rankOf = (x: Operand): number => (isTensor(x) ? Math.min(x.shape.length, 1) + 1 : 0);

/** Half precision beside complex numbers of a lower rank: a complex type that `kernel` does not know. */
export function refuseComplexHalf(
  kernel: string,
  operands: readonly Operand[],
  halves: readonly Half[] = ["bfloat16"],
): void {
  const highest = Math.max(...operands.map(rankOf));
  const isComplex = (x: Operand) => (isTensor(x) ? x.isComplex : x.kind === "complex");
  if (!operands.some((x) => rankOf(x) < highest && isComplex(x))) return;
  const leading = operands.filter(isTensor).filter((x) => rankOf(x) === highest);
  const half = halves.find((type) => leading.some(({ dtype }) => dtype === type));
  if (half) throw noComplexHalfKernel(kernel, half);
}

/** For kernels that PyTorch has for floats and a few types more. */
export function needFloats(
  kernel: string,
  type: TorchType,
  others: readonly TorchType[] = [],
): void {
  if (kindOf(type) !== "float" && !others.includes(type)) throw noKernel(kernel, type);
}

/** Of two tensors of truths. */
export const differenceOfTruths = () =>
  torchError(
    "NotImplementedError",
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
  );

export const truthDifference = () =>
  torchError(
    "NotImplementedError",
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
  );

/** `addcdiv` divides no integers by integers. */
export function refuseWholeDivision(types: readonly TorchType[]): void {
  if (types.every(isWhole))
    throw torchError(
      "RuntimeError",
      "Integer division with addcdiv is no longer supported, and in a future release addcdiv will perform a true division of tensor1 and tensor2.",
    );
}
