import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { comparisonType } from "./shapes.ts";

/** Whether just one holds, with broadcasting. https://onnx.ai/onnx/operators/onnx__Xor.html */
export const xor = defineOp({
  type: "Xor",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [comparisonType("Xor", A, B)],
  grad: { A: "none", B: "none" },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, (a, b) => a ^ b)],
});
