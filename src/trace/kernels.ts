/** Element types that PyTorch has no arithmetic for: refused in its words. */
import { torchError } from "../errors.ts";
import { type DType, isFloat, isHalf } from "../graph/tensor.ts";
import type { Scalar } from "./arguments.ts";
import { cppName } from "./dispatch.ts";
import { formats } from "./formats.ts";
import { integerRange, isComplexType, type TorchType } from "./promotion.ts";

export type Kind = "bool" | "integer" | "float" | "complex";

export function kindOf(type: TorchType): Kind {
  if (isComplexType(type)) return "complex";
  if (isFloat(type)) return "float";
  return type === "bool" ? "bool" : "integer";
}

const nativeNames: Readonly<Record<string, string>> = {
  float64: "double",
  float32: "float",
  float16: "c10::Half",
  bfloat16: "c10::BFloat16",
  uint8: "uint8_t",
  int8: "int8_t",
  int16: "int16_t",
  int32: "int",
  int64: "int64_t",
};

/** A number that is put into a tensor has to be one of its type; negative ones may wrap. */
export function refuseOverflow({ kind, value, imaginary = 0 }: Scalar, type: TorchType): void {
  const name = nativeNames[type];
  if (name === undefined || (imaginary === 0 && isHeld(kind, value, type))) return;
  throw torchError("RuntimeError", `value cannot be converted to type ${name} without overflow`);
}

/** The same where all of `count` elements are filled: PyTorch puts a single one of half precision unseen. */
export function refuseFill(value: Scalar, type: TorchType, count: number): void {
  const isUnseen = count === 1 && !value.imaginary && !isComplexType(type) && isHalf(type);
  if (!isUnseen) refuseOverflow(value, type);
}

function isHeld(kind: Scalar["kind"], value: number, type: TorchType): boolean {
  if (isFloat(type as DType) && !Number.isFinite(value)) return true;
  const [low, high] = limits(kind, type);
  return value >= low && value <= high;
}

function limits(kind: Scalar["kind"], type: TorchType): readonly [number, number] {
  const format = formats[type];
  if (format) return [-format.largest, format.largest];
  const [low, high] = integerRange(type) ?? [-(2 ** 63), 2 ** 63];
  return low === 0 && kind !== "float" ? [-high, high] : [low, high];
}

/** `kernel` is the name that PyTorch's message has: "fmod_cpu". */
export function refuseKinds(kernel: string, type: TorchType, kinds: readonly Kind[]): void {
  if (kinds.includes(kindOf(type)))
    throw torchError("NotImplementedError", `"${kernel}" not implemented for '${cppName(type)}'`);
}
