import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { reducedType } from "./shapes.ts";
import { keptShape, reshapeTo } from "./write.ts";

/**
 * ln Σ e^x over `axes` (a constant; absent: all).
 * https://onnx.ai/onnx/operators/onnx__ReduceLogSumExp.html
 */
export const reduceLogSumExp = defineOp({
  type: "ReduceLogSumExp",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceLogSumExp", data, axes, attrs)],
  grad: {
    // dx = dy · e^(x − y)
    data: (emit, { data, axes }, { reduced }, d, attrs) => {
      const kept = keptShape(data, axes, attrs);
      const lower = emit.op("Sub", [data, reshapeTo(emit, reduced, kept)]);
      return emit.op("Mul", [emit.op("Exp", [lower]), reshapeTo(emit, d.reduced, kept)]);
    },
    axes: "none",
  },
  flops: ({ data }) => 3 * numel(data.shape),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(data, axes, attrs, out, Number.NEGATIVE_INFINITY, logAddExp),
  ],
});

/** ln(e^a + e^b) without overflow. */
function logAddExp(a: number, b: number): number {
  const larger = Math.max(a, b);
  if (!Number.isFinite(larger)) return larger;
  return larger + Math.log1p(Math.exp(-Math.abs(a - b)));
}
