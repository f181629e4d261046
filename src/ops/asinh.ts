import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The inverse of the hyperbolic sine. https://onnx.ai/onnx/operators/onnx__Asinh.html */
export const asinh = defineOp({
  type: "Asinh",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    // dx = dy / √(x² + 1)
    input: (emit, { input: x }, _out, d) => {
      const square = emit.op("Mul", [x, x]);
      const root = emit.op("Sqrt", [emit.op("Add", [square, emit.scalar(1, x.dtype)])]);
      return emit.op("Div", [d.output, root]);
    },
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.asinh)],
});
