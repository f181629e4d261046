import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The tangent. https://onnx.ai/onnx/operators/onnx__Tan.html */
export const tan = defineOp({
  type: "Tan",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    // dx = dy · (1 + y²)
    input: (emit, _at, { output: y }, d) => {
      const slope = emit.op("Add", [emit.op("Mul", [y, y]), emit.scalar(1, y.dtype)]);
      return emit.op("Mul", [d.output, slope]);
    },
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.tan)],
});
