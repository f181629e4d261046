import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { reducedType } from "./shapes.ts";
import { keptShape, reshapeTo, signOf } from "./write.ts";

/**
 * Σ |x| over `axes` (a constant; absent: all). https://onnx.ai/onnx/operators/onnx__ReduceL1.html
 */
export const reduceL1 = defineOp({
  type: "ReduceL1",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceL1", data, axes, attrs)],
  grad: {
    data: (emit, { data, axes }, _out, d, attrs) => {
      const dReduced = reshapeTo(emit, d.reduced, keptShape(data, axes, attrs));
      return emit.op("Mul", [dReduced, signOf(emit, data)]);
    },
    axes: "none",
  },
  flops: ({ data }) => 2 * numel(data.shape),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(data, axes, attrs, out, 0, (sum, x) => sum + Math.abs(x)),
  ],
});
