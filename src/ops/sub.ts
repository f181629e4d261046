import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/** C = A − B, with broadcasting. https://onnx.ai/onnx/operators/onnx__Sub.html */
export const sub = defineOp({
  type: "Sub",
  inputs: ["A", "B"],
  outputs: ["C"],
  infer: ({ A, B }) => [broadcastTypes("Sub", A, B)],
  grad: {
    A: (_emit, _at, _out, d) => d.C,
    B: (emit, _at, _out, d) => emit.op("Neg", [d.C]),
  },
  evaluate: ({ A, B }, _attrs, [C]) => [elementwise2(A, B, C, (a, b) => a - b)],
});
