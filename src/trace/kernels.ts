/** Element types that PyTorch has no arithmetic for: refused in its words. */
import { torchError } from "../errors.ts";
import { isFloat } from "../graph/tensor.ts";
import { cppName } from "./dispatch.ts";
import { isComplexType, type TorchType } from "./promotion.ts";

export type Kind = "bool" | "integer" | "float" | "complex";

export function kindOf(type: TorchType): Kind {
  if (isComplexType(type)) return "complex";
  if (isFloat(type)) return "float";
  return type === "bool" ? "bool" : "integer";
}

/** `kernel` is the name that PyTorch's message has: "fmod_cpu". */
export function refuseKinds(kernel: string, type: TorchType, kinds: readonly Kind[]): void {
  if (kinds.includes(kindOf(type)))
    throw torchError("NotImplementedError", `"${kernel}" not implemented for '${cppName(type)}'`);
}
