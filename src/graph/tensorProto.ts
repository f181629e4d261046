/** A decoded TensorProto → its numbers, wherever the file keeps them. */
import { type StringStringEntryProto, type TensorProto, TensorProto_DataLocation } from "onnx-buf";
import { onnxUnsupported } from "../errors.ts";
import { fromBytes } from "./bytes.ts";
import { dtypeOfElementType, elementTypeText } from "./elementType.ts";
import {
  allocate,
  bytesOf,
  type DType,
  type HostArray,
  isHalf,
  type Numbers,
  numel,
} from "./tensor.ts";

/** Elements of one tensor: more is no weight, but a number that went wrong. */
const largest = 2 ** 34;

/** `length` bytes from `offset` of a file beside the model. */
export type LoadExternal = (file: string, offset: number, length: number) => Uint8Array;

export function arrayOfTensor(tensor: TensorProto, loadExternal: LoadExternal): HostArray {
  const dtype = dtypeOf(tensor.dataType, tensor.name);
  const shape = tensor.dims.map(Number);
  if (shape.some((size) => size < 0) || numel(shape) > largest)
    throw onnxUnsupported(`'${tensor.name}' has the shape [${shape.join(", ")}]`);
  const bytes = bytesOfTensor(tensor, numel(shape) * bytesOf[dtype], loadExternal);
  const data =
    bytes === null ? numbersOfFields(tensor, dtype, numel(shape)) : fromBytes(dtype, shape, bytes);
  return { dtype, shape, data };
}

export function dtypeOf(elementType: number, name: string): DType {
  const dtype = dtypeOfElementType(elementType);
  if (dtype === null) throw onnxUnsupported(`'${name}' holds ${elementTypeText(elementType)}`);
  return dtype;
}

export const metadataFrom = (entries: readonly StringStringEntryProto[]) =>
  Object.fromEntries(entries.map(({ key, value }) => [key, value]));

/** null: the numbers are in fields of their own. */
function bytesOfTensor(
  tensor: TensorProto,
  length: number,
  loadExternal: LoadExternal,
): Uint8Array | null {
  const isExternal = tensor.dataLocation === TensorProto_DataLocation.EXTERNAL;
  const at = metadataFrom(tensor.externalData);
  const bytes = isExternal
    ? loadExternal(at["location"] ?? "", Number(at["offset"] ?? 0), length)
    : tensor.rawData;
  if (bytes.length === 0 && !isExternal) return null;
  if (bytes.length < length)
    throw onnxUnsupported(`'${tensor.name}' has ${bytes.length} of its ${length} bytes`);
  return bytes;
}

function numbersOfFields(tensor: TensorProto, dtype: DType, length: number): Numbers {
  const fields: Partial<Record<DType, ArrayLike<number | bigint>>> = {
    float32: tensor.floatData,
    float64: tensor.doubleData,
    int64: tensor.int64Data,
  };
  const items = fields[dtype] ?? tensor.int32Data;
  if (items.length < length)
    throw onnxUnsupported(`'${tensor.name}' has ${items.length} of its ${length} numbers`);
  const numbers = Array.from(items, Number);
  if (isHalf(dtype)) return fromBytes(dtype, [length], halfBytes(numbers));
  const data = allocate(dtype, length);
  data.set(numbers.slice(0, length));
  return data;
}

/** Half-precision numbers stand in int32_data as their bits. */
const halfBytes = (bits: readonly number[]): Uint8Array =>
  new Uint8Array(Uint16Array.from(bits).buffer);
