import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** The natural logarithm. https://onnx.ai/onnx/operators/onnx__Log.html */
export const log = defineOp({
  type: "Log",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: { input: (emit, { input }, _out, d) => emit.op("Div", [d.output, input]) },
  evaluate: ({ input }, _attrs, [output]) => [elementwise1(input, output, Math.log)],
});
