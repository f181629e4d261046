import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { reducedType } from "./shapes.ts";
import { keptShape, reshapeTo } from "./write.ts";

/**
 * Σ x² over `axes` (a constant; absent: all).
 * https://onnx.ai/onnx/operators/onnx__ReduceSumSquare.html
 */
export const reduceSumSquare = defineOp({
  type: "ReduceSumSquare",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceSumSquare", data, axes, attrs)],
  grad: {
    // dx = x · 2dy: the factor goes to the smaller tensor
    data: (emit, { data, axes }, _out, d, attrs) => {
      const doubled = emit.op("Mul", [d.reduced, emit.scalar(2, data.dtype)]);
      return emit.op("Mul", [data, reshapeTo(emit, doubled, keptShape(data, axes, attrs))]);
    },
    axes: "none",
  },
  flops: ({ data }) => 2 * numel(data.shape),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(data, axes, attrs, out, 0, (sum, x) => sum + x * x),
  ],
});
