/** Our arrays ↔ onnxruntime-node's tensors. */
import { Tensor } from "onnxruntime-node";
import { invariant } from "../errors.ts";
import type { FedValue } from "../graph/encode.ts";
import { type HostArray, isHalf, type Numbers, numel, sameShape } from "../graph/tensor.ts";

/** Costs a copy only for int64 and for shared memory, which onnxruntime-node refuses. */
export function toOrt({ dtype, shape, name, id }: FedValue, numbers: Numbers): Tensor {
  const label = name ?? `value ${id}`;
  invariant(
    numbers.length === numel(shape),
    `'${label}' is fed ${numbers.length} numbers; its shape is [${shape.join(", ")}]`,
  );
  const type = isHalf(dtype) ? "float32" : dtype;
  invariant(type !== "bfloat16", "half types are fed as float32");
  const data =
    dtype === "int64"
      ? BigInt64Array.from(numbers, BigInt)
      : numbers.buffer instanceof SharedArrayBuffer
        ? numbers.slice()
        : numbers;
  return new Tensor(type, data, shape);
}

export function fromOrt(tensor: Tensor, { dtype, shape, id }: FedValue): HostArray {
  invariant(
    sameShape(tensor.dims, shape),
    `value ${id} was inferred as [${shape.join(", ")}] and computed as [${tensor.dims.join(", ")}]`,
  );
  const { data } = tensor;
  if (data instanceof BigInt64Array) return { dtype, shape, data: Float64Array.from(data, Number) };
  invariant(isNumbers(data), `value ${id} has the unexpected type ${tensor.type}`);
  return { dtype, shape, data };
}

const isNumbers = (data: Tensor["data"]): data is Exclude<typeof data, string[]> & Numbers =>
  data instanceof Float64Array ||
  data instanceof Float32Array ||
  data instanceof Int32Array ||
  data instanceof Int16Array ||
  data instanceof Int8Array ||
  data instanceof Uint8Array;
