/** Matrix products of values, in as few nodes as their shapes allow. */
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo, transpose } from "../../ops/write.ts";
import { pair, parts } from "./complexNumbers.ts";

/**
 * numpy's matmul. A product with one matrix is a Gemm of all rows: its gradients are Gemms that read
 * both factors as they lie.
 */
export function multiply(emit: Emit, a: Value, b: Value): Value {
  const isRow = a.shape.length === 1;
  const isColumn = b.shape.length === 1;
  const k = a.shape.at(-1) as number;
  const right = isColumn ? reshapeTo(emit, b, [k, 1]) : b;
  const n = right.shape.at(-1) as number;
  if (right.shape.length === 2 && isFloat(a.dtype)) {
    const rows = a.shape.slice(0, -1);
    const left = reshapeTo(emit, a, [numel(rows), k]);
    return reshapeTo(emit, emit.op("Gemm", [left, right]), isColumn ? rows : [...rows, n]);
  }
  const left = isRow ? reshapeTo(emit, a, [1, k]) : a;
  const full = integersWidened(emit, left, right);
  const shape = full.shape.slice(0, -2);
  if (!isRow) shape.push(full.shape.at(-2) as number);
  if (!isColumn) shape.push(n);
  return reshapeTo(emit, full, shape);
}

/** MatMul has kernels for 32 and 64 bits: narrower integers are cut off afterwards, as they wrap. */
function integersWidened(emit: Emit, a: Value, b: Value): Value {
  const { dtype } = a;
  if (isFloat(dtype) || dtype === "int32" || dtype === "int64") return emit.op("MatMul", [a, b]);
  const product = emit.op("MatMul", [castTo(emit, a, "int32"), castTo(emit, b, "int32")]);
  return castTo(emit, product, dtype);
}

/** x[…, in] · weight[out, in]ᵀ + bias[out]; a weight of rank 1 gives […]. */
export function affine(emit: Emit, x: Value, weight: Value, bias: Value | null): Value {
  const rows = x.shape.slice(0, -1);
  const inner = x.shape.at(-1) as number;
  if (weight.shape.length === 1) return multiply(emit, x, weight);
  const shape = [...rows, weight.shape[0] as number];
  if (!isFloat(x.dtype)) {
    const product = multiply(emit, x, transpose(emit, weight, [1, 0]));
    return bias === null ? product : emit.op("Add", [product, bias]);
  }
  const left = reshapeTo(emit, x, [numel(rows), inner]);
  return reshapeTo(emit, emit.op("Gemm", [left, weight, bias], { transB: 1 }), shape);
}

/** (a + bi)(c + di) for any bilinear `times`. */
export function complexProduct(
  emit: Emit,
  x: Value,
  y: Value,
  times: (x: Value, y: Value) => Value,
): Value {
  const [a, b] = parts(emit, x);
  const [c, d] = parts(emit, y);
  const re = emit.op("Sub", [times(a, c), times(b, d)]);
  const im = emit.op("Add", [times(a, d), times(b, c)]);
  return pair(emit, re, im);
}
