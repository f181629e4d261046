import { defineOp } from "./defineOp.ts";
import { bitXor } from "./kernels/bitwise.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/**
 * The bits that just one has, with broadcasting.
 * https://onnx.ai/onnx/operators/onnx__BitwiseXor.html
 */
export const bitwiseXor = defineOp({
  type: "BitwiseXor",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [broadcastTypes("BitwiseXor", A, B)],
  grad: { A: "none", B: "none" },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, bitXor)],
});
