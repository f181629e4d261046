import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { comparisonType } from "./shapes.ts";

/** Whether A ≤ B, with broadcasting. https://onnx.ai/onnx/operators/onnx__LessOrEqual.html */
export const lessOrEqual = defineOp({
  type: "LessOrEqual",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [comparisonType("LessOrEqual", A, B)],
  grad: { A: "none", B: "none" },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, (a, b) => (a <= b ? 1 : 0))],
});
