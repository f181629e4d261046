import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { accumulated } from "./kernels/round.ts";
import { reducedType } from "./shapes.ts";
import { keptShape, reshapeTo } from "./write.ts";

/**
 * √Σ x² over `axes` (a constant; absent: all); its gradient at 0 is 0.
 * https://onnx.ai/onnx/operators/onnx__ReduceL2.html
 */
export const reduceL2 = defineOp({
  type: "ReduceL2",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceL2", data, axes, attrs)],
  grad: {
    // dx = x · (dy / y), and dy · 0 where y is 0
    data: (emit, { data, axes }, { reduced: y }, d, attrs) => {
      const zero = emit.scalar(0, y.dtype);
      const ratio = emit.op("Div", [d.reduced, y]);
      const nothing = emit.op("Mul", [d.reduced, zero]);
      const masked = emit.op("Where", [emit.op("Equal", [y, zero]), nothing, ratio]);
      return emit.op("Mul", [data, reshapeTo(emit, masked, keptShape(data, axes, attrs))]);
    },
    axes: "none",
  },
  flops: ({ data }) => 2 * numel(data.shape),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(
      data,
      axes,
      attrs,
      out,
      0,
      (sum, x) => sum + x * x,
      (sum) => Math.sqrt(accumulated(data.dtype, sum)),
    ),
  ],
});
