/** Our arrays ↔ onnxruntime-node's tensors. */
import { Tensor } from "onnxruntime-node";
import { invariant } from "../errors.ts";
import type { EncodedOutput, FedValue } from "../graph/encode.ts";
import {
  type HostArray,
  int64Of,
  isHalf,
  type Numbers,
  numel,
  sameShape,
} from "../graph/tensor.ts";

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
      ? BigInt64Array.from(numbers, int64Of)
      : numbers.buffer instanceof SharedArrayBuffer
        ? numbers.slice()
        : numbers;
  return new Tensor(type, data, shape);
}

/** `tensor` is what the run gave for `output.tensor`. */
export function fromOrt(tensor: Tensor | undefined, output: EncodedOutput): HostArray {
  const { dtype, shape, id, index } = output;
  invariant(tensor, `value ${id} was not computed`);
  const data = numbersOf(tensor);
  if (index !== null) return { dtype, shape, data: data.slice(index, index + 1) };
  invariant(
    sameShape(tensor.dims, shape),
    `value ${id} was inferred as [${shape.join(", ")}] and computed as [${tensor.dims.join(", ")}]`,
  );
  return { dtype, shape, data };
}

function numbersOf({ data, type }: Tensor): Numbers {
  if (data instanceof BigInt64Array) return Float64Array.from(data, Number);
  invariant(isNumbers(data), `an output has the unexpected type ${type}`);
  return data;
}

const isNumbers = (data: Tensor["data"]): data is Exclude<typeof data, string[]> & Numbers =>
  data instanceof Float64Array ||
  data instanceof Float32Array ||
  data instanceof Int32Array ||
  data instanceof Int16Array ||
  data instanceof Int8Array ||
  data instanceof Uint8Array;
