import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { comparisonType } from "./shapes.ts";

/** Whether both hold, with broadcasting. https://onnx.ai/onnx/operators/onnx__And.html */
export const and = defineOp({
  type: "And",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [comparisonType("And", A, B)],
  grad: { A: "none", B: "none" },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, (a, b) => a & b)],
});
