/** Memory that threads can share. */
import { allocate, type Numbers } from "../graph/tensor.ts";
import type { Storage } from "./tensor.ts";

/** Memory that the random workers can fill. */
export function shareableNumbers(storage: Storage): Numbers {
  if (storage.dtype === "float64") {
    return new Float64Array(new SharedArrayBuffer(storage.length * 8));
  }
  if (storage.dtype === "int64") return new Float64Array(storage.length);
  if (storage.dtype === "float32" || storage.dtype === "float16" || storage.dtype === "bfloat16")
    return new Float32Array(new SharedArrayBuffer(storage.length * 4));
  return allocate(storage.dtype, storage.length);
}
