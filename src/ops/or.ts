import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { comparisonType } from "./shapes.ts";

/** Whether one or both hold, with broadcasting. https://onnx.ai/onnx/operators/onnx__Or.html */
export const or = defineOp({
  type: "Or",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [comparisonType("Or", A, B)],
  grad: { A: "none", B: "none" },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, (a, b) => a | b)],
});
