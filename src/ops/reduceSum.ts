import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { reducedType } from "./shapes.ts";
import { keptShape, reshapeTo } from "./write.ts";

/**
 * Sum over `axes` (a constant; absent: all). https://onnx.ai/onnx/operators/onnx__ReduceSum.html
 */
export const reduceSum = defineOp({
  type: "ReduceSum",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceSum", data, axes, attrs)],
  grad: {
    data: (emit, { data, axes }, _out, d, attrs) =>
      reshapeTo(emit, d.reduced, keptShape(data, axes, attrs)),
    axes: "none",
  },
  flops: ({ data }) => data.shape.reduce((n, size) => n * size, 1),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(data, axes, attrs, out, 0, (sum, x) => sum + x),
  ],
});
