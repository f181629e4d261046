import { defineOp } from "./defineOp.ts";
import { alongAxis } from "./kernels/reduce.ts";

/** exp(x − max) / Σ exp(x − max) along `axis`. https://onnx.ai/onnx/operators/onnx__Softmax.html */
export const softmax = defineOp({
  type: "Softmax",
  inputs: ["input"],
  outputs: ["output"],
  attrs: { axis: -1 },
  infer: ({ input }) => [{ dtype: input.dtype, shape: input.shape }],
  grad: {
    // dx = y · (dy − Σ dy · y)
    input: (emit, _, { output }, d, { axis }) => {
      const weighted = emit.op("Mul", [d.output, output]);
      const sum = emit.op("ReduceSum", [weighted, emit.ints([axis])], { keepdims: 1 });
      return emit.op("Sub", [weighted, emit.op("Mul", [output, sum])]);
    },
  },
  flops: ({ input }) => 5 * input.shape.reduce((n, size) => n * size, 1),
  evaluate: ({ input }, { axis }, [out]) => [
    alongAxis(input, axis, out, (line) => {
      let max = Number.NEGATIVE_INFINITY;
      for (const x of line) max = Math.max(max, x);
      const e = Array.from(line, (x) => Math.exp(x - max));
      const sum = e.reduce((total, x) => total + x, 0);
      return e.map((x) => x / sum);
    }),
  ],
});
