import { isFloat } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";
import { recomputed } from "./write.ts";

/**
 * C = A / B, with broadcasting; integers round towards zero.
 * https://onnx.ai/onnx/operators/onnx__Div.html
 */
export const div = defineOp({
  type: "Div",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [broadcastTypes("Div", A, B)],
  grad: {
    // dA = dC / B and dB = −dC · (A / B) / B; B is often the smaller tensor, so the sign goes there
    A: (emit, { B }, _out, d) => emit.op("Div", [d.C, B]),
    B: (emit, { A, B }, { C }, d) => {
      const share = recomputed(emit, C, () => emit.op("Div", [A, B]));
      return emit.op("Div", [emit.op("Mul", [d.C, share]), emit.op("Neg", [B])]);
    },
  },
  evaluate: ({ A, B }, _attrs, [C]) => [
    elementwise2(A, B, C, isFloat(A.dtype) ? (a, b) => a / b : (a, b) => Math.trunc(a / b)),
  ],
});
