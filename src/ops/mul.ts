import type { DType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/** C = A · B elementwise, with broadcasting. https://onnx.ai/onnx/operators/onnx__Mul.html */
export const mul = defineOp({
  type: "Mul",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [broadcastTypes("Mul", A, B)],
  grad: {
    A: (emit, { B }, _out, d) => emit.op("Mul", [d.C, B]),
    B: (emit, { A }, _out, d) => emit.op("Mul", [d.C, A]),
  },
  evaluate: ({ A, B }, _attrs, [C]) => [
    elementwise2(A, B, C, (C && wrapping[C.dtype]) ?? ((a, b) => a * b)),
  ],
});

/** A float64 product of two integers loses its low bits: those are what wraps around. */
const wrapping: Partial<Record<DType, (a: number, b: number) => number>> = {
  int32: Math.imul,
  int64: (a, b) => {
    const product = a * b;
    return Number.isSafeInteger(product)
      ? product
      : Number(BigInt.asIntN(64, BigInt(a) * BigInt(b)));
  },
};
