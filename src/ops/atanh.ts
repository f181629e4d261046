import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The inverse of the hyperbolic tangent. https://onnx.ai/onnx/operators/onnx__Atanh.html */
export const atanh = defineOp({
  type: "Atanh",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    // dx = dy / (1 − x²)
    input: (emit, { input: x }, _out, d) => {
      const square = emit.op("Mul", [x, x]);
      return emit.op("Div", [d.output, emit.op("Sub", [emit.scalar(1, x.dtype), square])]);
    },
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.atanh)],
});
