/** ONNX's numbers for element types (TensorProto.DataType), as `Cast.to` and encoded tensors have them. */
import type { DType } from "./tensor.ts";

export const elementTypeOf: Readonly<Record<DType, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int16: 5,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
  bfloat16: 16,
};

const dtypes = new Map(
  Object.entries(elementTypeOf).map(([dtype, code]) => [code, dtype as DType] as const),
);

/** "strings", "complex numbers", or the number of the type. */
export const elementTypeText = (code: number): string =>
  ({ 8: "strings", 14: "complex numbers", 15: "complex numbers" })[code] ??
  `the element type ${code}`;

/** null: a type that a graph cannot hold (strings, unsigned 16 bits and more, complex, 8-bit floats). */
export const dtypeOfElementType = (code: number): DType | null => dtypes.get(code) ?? null;
