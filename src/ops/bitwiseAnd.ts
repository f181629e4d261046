import { defineOp } from "./defineOp.ts";
import { bitAnd } from "./kernels/bitwise.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/**
 * The bits that both have, with broadcasting. https://onnx.ai/onnx/operators/onnx__BitwiseAnd.html
 */
export const bitwiseAnd = defineOp({
  type: "BitwiseAnd",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [broadcastTypes("BitwiseAnd", A, B)],
  grad: { A: "none", B: "none" },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, bitAnd)],
});
