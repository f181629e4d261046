import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The inverse of the tangent. https://onnx.ai/onnx/operators/onnx__Atan.html */
export const atan = defineOp({
  type: "Atan",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    // dx = dy / (1 + x²)
    input: (emit, { input: x }, _out, d) => {
      const square = emit.op("Mul", [x, x]);
      return emit.op("Div", [d.output, emit.op("Add", [square, emit.scalar(1, x.dtype)])]);
    },
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.atan)],
});
