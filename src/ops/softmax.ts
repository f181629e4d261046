import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { alongAxis } from "./kernels/reduce.ts";
import { logSumExp } from "./kernels/softmax.ts";
import { typeAlong } from "./shapes.ts";

/** exp(x − max) / Σ exp(x − max) along `axis`. https://onnx.ai/onnx/operators/onnx__Softmax.html */
export const softmax = defineOp({
  type: "Softmax",
  inputs: ["input"],
  outputs: ["output"],
  attrs: { axis: -1 },
  infer: ({ input }, { axis }) => [typeAlong("Softmax", input, axis)],
  grad: {
    // dx = y · (dy − Σ dy · y)
    input: (emit, _at, { output: y }, d, { axis }) => {
      const weighted = emit.op("Mul", [d.output, y]);
      const sum = emit.op("ReduceSum", [weighted, emit.ints([axis])], { keepdims: 1 });
      return emit.op("Mul", [emit.op("Sub", [d.output, sum]), y]);
    },
  },
  flops: ({ input }) => 5 * numel(input.shape),
  evaluate: ({ input }, { axis }, [out]) => [
    alongAxis(input, axis, out, (line) => {
      const total = logSumExp(line);
      return line.map((x) => Math.exp(x - total));
    }),
  ],
});
