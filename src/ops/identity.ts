import { defineOp } from "./defineOp.ts";
import { typeOf } from "./shapes.ts";

/** Its input. https://onnx.ai/onnx/operators/onnx__Identity.html */
export const identity = defineOp({
  type: "Identity",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: { input: (_emit, _at, _out, d) => d.output },
  flops: () => 0,
  evaluate: ({ input }) => [input],
});
