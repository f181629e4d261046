import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { reducedType } from "./shapes.ts";
import { keptShape, reshapeTo } from "./write.ts";

/**
 * Mean over `axes` (a constant; absent: all). https://onnx.ai/onnx/operators/onnx__ReduceMean.html
 */
export const reduceMean = defineOp({
  type: "ReduceMean",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceMean", data, axes, attrs)],
  grad: {
    data: (emit, { data, axes }, { reduced }, d, attrs) => {
      const count = numel(data.shape) / numel(reduced.shape);
      const share = emit.op("Mul", [d.reduced, emit.scalar(1 / count, data.dtype)]);
      return reshapeTo(emit, share, keptShape(data, axes, attrs));
    },
    axes: "none",
  },
  flops: ({ data }) => numel(data.shape),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(
      data,
      axes,
      attrs,
      out,
      0,
      (sum, x) => sum + x,
      (sum, count) => sum / count,
    ),
  ],
});
