import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The hyperbolic tangent. https://onnx.ai/onnx/operators/onnx__Tanh.html */
export const tanh = defineOp({
  type: "Tanh",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    // dx = dy · (1 − y²)
    input: (emit, _at, { output: y }, d) => {
      const slope = emit.op("Sub", [emit.scalar(1, y.dtype), emit.op("Mul", [y, y])]);
      return emit.op("Mul", [d.output, slope]);
    },
  },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.tanh)],
});
