import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { comparisonType } from "./shapes.ts";

/** Whether A = B, with broadcasting. https://onnx.ai/onnx/operators/onnx__Equal.html */
export const equal = defineOp({
  type: "Equal",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [comparisonType("Equal", A, B)],
  grad: { A: "none", B: "none" },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, (a, b) => (a === b ? 1 : 0))],
});
