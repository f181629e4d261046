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
  // A float64 product of two int32 loses its low bits: those are what wraps around.
  evaluate: ({ A, B }, _attrs, [C]) => [
    elementwise2(A, B, C, C?.dtype === "int32" ? Math.imul : (a, b) => a * b),
  ],
});
