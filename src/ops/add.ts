import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/** C = A + B, with broadcasting. https://onnx.ai/onnx/operators/onnx__Add.html */
export const add = defineOp({
  type: "Add",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [broadcastTypes("Add", A, B)],
  grad: {
    A: (_emit, _at, _out, d) => d.C,
    B: (_emit, _at, _out, d) => d.C,
  },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, (a, b) => a + b)],
});
