import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { reduce } from "./kernels/reduce.ts";

/**
 * The mean over all axes but the first two, which keep size 1.
 * https://onnx.ai/onnx/operators/onnx__GlobalAveragePool.html
 */
export const globalAveragePool = defineOp({
  type: "GlobalAveragePool",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [{ dtype: X.dtype, shape: X.shape.map((size, axis) => (axis < 2 ? size : 1)) }],
  grad: {
    X: (emit, { X }, _out, d) =>
      emit.op("Mul", [d.Y, emit.scalar(1 / numel(X.shape.slice(2)), X.dtype)]),
  },
  flops: ({ X }) => numel(X.shape),
  evaluate: ({ X }, _attrs, [Y]) => {
    const axes = { data: Float64Array.from(X.shape.slice(2), (_, k) => k + 2) };
    const mean = (sum: number, count: number) => sum / count;
    return [reduce(X, axes, {}, Y, 0, (sum, x) => sum + x, mean)];
  },
});
