import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The inverse of the sine. https://onnx.ai/onnx/operators/onnx__Asin.html */
export const asin = defineOp({
  type: "Asin",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    // dx = dy / √(1 − x²)
    input: (emit, { input: x }, _out, d) => {
      const square = emit.op("Mul", [x, x]);
      const root = emit.op("Sqrt", [emit.op("Sub", [emit.scalar(1, x.dtype), square])]);
      return emit.op("Div", [d.output, root]);
    },
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.asin)],
});
