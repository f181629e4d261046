import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";
import { reducedType } from "./shapes.ts";
import { castTo, keptShape, reshapeTo } from "./write.ts";

/**
 * Product over `axes` (a constant; absent: all).
 * https://onnx.ai/onnx/operators/onnx__ReduceProd.html
 */
export const reduceProd = defineOp({
  type: "ReduceProd",
  inputs: ["data", "axes?"],
  outputs: ["reduced"],
  attrs: { keepdims: 1, noop_with_empty_axes: 0 },
  infer: ({ data, axes }, attrs) => [reducedType("ReduceProd", data, axes, attrs)],
  grad: {
    // The product of the others: that of all but the zeros, over x if x is none; 0 if another is 0.
    data: (emit, { data: x, axes }, _out, d, attrs) => {
      const kept = { keepdims: 1, noop_with_empty_axes: attrs.noop_with_empty_axes };
      const isZero = emit.op("Equal", [x, emit.scalar(0, x.dtype)]);
      const zero = castTo(emit, isZero, x.dtype);
      const zeros = emit.op("ReduceSum", [zero, axes], kept);
      const filled = emit.op("Where", [isZero, emit.scalar(1, x.dtype), x]);
      const product = emit.op("ReduceProd", [filled, axes], kept);
      const others = emit.op("Where", [
        emit.op("Equal", [zeros, zero]),
        emit.op("Div", [product, filled]),
        emit.scalar(0, x.dtype),
      ]);
      return emit.op("Mul", [reshapeTo(emit, d.reduced, keptShape(x, axes, attrs)), others]);
    },
    axes: "none",
  },
  flops: ({ data }) => numel(data.shape),
  evaluate: ({ data, axes }, attrs, [out]) => [
    reduce(data, axes, attrs, out, 1, (product, x) => product * x),
  ],
});
