/** Element types that PyTorch has no arithmetic for: refused in its words. */
import { torchError } from "../errors.ts";
import { type DType, isFloat } from "../graph/tensor.ts";
import type { Scalar } from "./arguments.ts";
import { cppName } from "./dispatch.ts";
import { integerRange, isComplexType, type TorchType } from "./promotion.ts";

export type Kind = "bool" | "integer" | "float" | "complex";

export function kindOf(type: TorchType): Kind {
  if (isComplexType(type)) return "complex";
  if (isFloat(type)) return "float";
  return type === "bool" ? "bool" : "integer";
}

const nativeNames: Readonly<Record<string, string>> = {
  float16: "c10::Half",
  bfloat16: "c10::BFloat16",
  uint8: "uint8_t",
  int8: "int8_t",
  int16: "int16_t",
  int32: "int",
  int64: "int64_t",
};

/** A number that is put into a tensor has to be one of its type; negative ones may wrap. */
export function refuseOverflow({ kind, value }: Scalar, type: TorchType): void {
  const name = nativeNames[type];
  if (name === undefined || (isFloat(type as DType) && !Number.isFinite(value))) return;
  const [low, high] = limits(kind, type);
  if (value >= low && value <= high) return;
  throw torchError("RuntimeError", `value cannot be converted to type ${name} without overflow`);
}

function limits(kind: Scalar["kind"], type: TorchType): readonly [number, number] {
  if (type === "float16") return [-65504, 65504];
  if (type === "bfloat16") return [-3.39e38, 3.39e38];
  const [low, high] = integerRange(type) ?? [-(2 ** 63), 2 ** 63];
  return low === 0 && kind !== "float" ? [-high, high] : [low, high];
}

/** `kernel` is the name that PyTorch's message has: "fmod_cpu". */
export function refuseKinds(kernel: string, type: TorchType, kinds: readonly Kind[]): void {
  if (kinds.includes(kindOf(type)))
    throw torchError("NotImplementedError", `"${kernel}" not implemented for '${cppName(type)}'`);
}
