/** Types as C++ spells them in PyTorch's messages. */
import type { TorchType } from "./promotion.ts";

export const nativeNames: Readonly<Record<TorchType, string>> = {
  float64: "double",
  float32: "float",
  float16: "c10::Half",
  bfloat16: "c10::BFloat16",
  int64: "long int",
  int32: "int",
  int16: "short int",
  int8: "signed char",
  uint8: "unsigned char",
  bool: "bool",
  complex64: "c10::complex<float>",
  complex128: "c10::complex<double>",
};
