import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { reducedType } from "./shapes.ts";
import { keptShape, reshapeTo } from "./write.ts";

/**
 * ln Σ x over `axes` (a constant; absent: all).
 * https://onnx.ai/onnx/operators/onnx__ReduceLogSum.html
 */
export const reduceLogSum = defineOp({
  type: "ReduceLogSum",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceLogSum", data, axes, attrs)],
  grad: {
    // dx = dy / Σ x, and Σ x = e^y
    data: (emit, { data, axes }, { reduced }, d, attrs) => {
      const share = emit.op("Div", [d.reduced, emit.op("Exp", [reduced])]);
      return reshapeTo(emit, share, keptShape(data, axes, attrs));
    },
    axes: "none",
  },
  flops: ({ data }) => numel(data.shape),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(data, axes, attrs, out, 0, (sum, x) => sum + x, Math.log),
  ],
});
