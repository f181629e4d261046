import { defineOp } from "./defineOp.ts";
import { bitOr } from "./kernels/bitwise.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/**
 * The bits that one or both have, with broadcasting.
 * https://onnx.ai/onnx/operators/onnx__BitwiseOr.html
 */
export const bitwiseOr = defineOp({
  type: "BitwiseOr",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [broadcastTypes("BitwiseOr", A, B)],
  grad: { A: "none", B: "none" },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, bitOr)],
});
