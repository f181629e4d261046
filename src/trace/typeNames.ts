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

/** Types as PyTorch's messages name them. */
const cppNames: Readonly<Record<TorchType, string>> = {
  float32: "Float",
  float64: "Double",
  float16: "Half",
  bfloat16: "BFloat16",
  int64: "Long",
  int32: "Int",
  int16: "Short",
  int8: "Char",
  uint8: "Byte",
  bool: "Bool",
  complex64: "ComplexFloat",
  complex128: "ComplexDouble",
};

export const cppName = (type: TorchType): string => cppNames[type];
