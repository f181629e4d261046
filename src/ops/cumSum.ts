import { defineOp } from "./defineOp.ts";
import { alongAxis } from "./kernels/reduce.ts";
import { typeOf } from "./shapes.ts";

/**
 * Running sums along `axis` (a constant); `exclusive` without the own element, `reverse` from the
 * end. https://onnx.ai/onnx/operators/onnx__CumSum.html
 */
export const cumSum = defineOp({
  type: "CumSum",
  inputs: ["x", "axis"],
  outputs: ["y"],
  attrs: { exclusive: 0, reverse: 0 },
  infer: ({ x }) => [typeOf(x)],
  grad: {
    x: (emit, { axis }, _out, d, { exclusive, reverse }) =>
      emit.op("CumSum", [d.y, axis], { exclusive, reverse: 1 - reverse }),
    axis: "none",
  },
  evaluate: ({ x, axis }, { exclusive, reverse }, [out]) => [
    alongAxis(x, axis.data[0] ?? 0, out, (line) => {
      const sums = reverse ? line.toReversed() : line.slice();
      let total = 0;
      sums.forEach((value, k) => {
        sums[k] = exclusive ? total : total + value;
        total += value;
      });
      return reverse ? sums.reverse() : sums;
    }),
  ],
});
