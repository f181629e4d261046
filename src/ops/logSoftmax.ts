import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { alongAxis } from "./kernels/reduce.ts";
import { logSumExp } from "./kernels/softmax.ts";
import { typeAlong } from "./shapes.ts";

/** x − ln Σ e^x along `axis`. https://onnx.ai/onnx/operators/onnx__LogSoftmax.html */
export const logSoftmax = defineOp({
  type: "LogSoftmax",
  inputs: ["input"],
  outputs: ["output"],
  attrs: { axis: -1 },
  infer: ({ input }, { axis }) => [typeAlong("LogSoftmax", input, axis)],
  grad: {
    // dx = dy − e^y · Σ dy
    input: (emit, _at, { output: y }, d, { axis }) => {
      const sum = emit.op("ReduceSum", [d.output, emit.ints([axis])], { keepdims: 1 });
      return emit.op("Sub", [d.output, emit.op("Mul", [emit.op("Exp", [y]), sum])]);
    },
  },
  flops: ({ input }) => 5 * numel(input.shape),
  evaluate: ({ input }, { axis }, [out]) => [
    alongAxis(input, axis, out, (line) => {
      const total = logSumExp(line);
      return line.map((x) => x - total);
    }),
  ],
});
