import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { reducedType } from "./shapes.ts";
import { shareAmongTies } from "./write.ts";

/**
 * Smallest over `axes` (a constant; absent: all); ties share the gradient.
 * https://onnx.ai/onnx/operators/onnx__ReduceMin.html
 */
export const reduceMin = defineOp({
  type: "ReduceMin",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceMin", data, axes, attrs)],
  grad: {
    data: (emit, { data, axes }, { reduced }, d, attrs) =>
      shareAmongTies(emit, data, axes, attrs, reduced, d.reduced),
    axes: "none",
  },
  flops: ({ data }) => numel(data.shape),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(data, axes, attrs, out, Number.POSITIVE_INFINITY, Math.min),
  ],
});
