import { shapeMismatch } from "../errors.ts";
import type { Emit, Value } from "../graph/graph.ts";
import { allocate, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { roundTo } from "./kernels/round.ts";
import { typeOf } from "./shapes.ts";
import { reshapeTo } from "./write.ts";
import { sumOverChannels } from "./writeConv.ts";

/**
 * Y = (X − mean) / √(var + epsilon) · scale + B for each channel (axis 1), of known mean and
 * variance. https://onnx.ai/onnx/operators/onnx__BatchNormalization.html
 */
export const batchNormalization = defineOp({
  type: "BatchNormalization",
  inputs: ["X", "scale", "B", "input_mean", "input_var"],
  outputs: ["Y"],
  attrs: { epsilon: 1e-5, momentum: 0.9, training_mode: 0 },
  infer: ({ X }, { training_mode }) => {
    if (training_mode) throw shapeMismatch("BatchNormalization needs training_mode 0; got 1");
    return [typeOf(X)];
  },
  grad: {
    X: (emit, { X, scale, input_var }, _out, d, { epsilon }) => {
      const slope = emit.op("Div", [scale, deviation(emit, input_var, epsilon)]);
      return emit.op("Mul", [d.Y, perChannel(emit, slope, X)]);
    },
    scale: (emit, { X, input_mean, input_var }, _out, d, { epsilon }) => {
      const centered = emit.op("Sub", [X, perChannel(emit, input_mean, X)]);
      const sum = sumOverChannels(emit, emit.op("Mul", [d.Y, centered]));
      return emit.op("Div", [sum, deviation(emit, input_var, epsilon)]);
    },
    B: (emit, _at, _out, d) => sumOverChannels(emit, d.Y),
    input_mean: "none",
    input_var: "none",
  },
  flops: ({ X }) => 2 * numel(X.shape),
  evaluate: ({ X, scale, B, input_mean, input_var }, { epsilon }, [Y]) => {
    const area = numel(X.shape.slice(2));
    const data = allocate(Y?.dtype ?? X.dtype, X.data.length);
    for (let i = 0; i < data.length; i++) {
      const c = Math.floor(i / area) % scale.data.length;
      const of = (array: { readonly data: ArrayLike<number> }) => array.data[c] as number;
      const normal = ((X.data[i] as number) - of(input_mean)) / Math.sqrt(of(input_var) + epsilon);
      data[i] = normal * of(scale) + of(B);
    }
    roundTo(X.dtype, data);
    return [{ dtype: X.dtype, shape: X.shape, data }];
  },
});

const deviation = (emit: Emit, variance: Value, epsilon: number): Value =>
  emit.op("Sqrt", [emit.op("Add", [variance, emit.scalar(epsilon, variance.dtype)])]);

/** A vector [C] as [C, 1, ...]. */
const perChannel = (emit: Emit, x: Value, like: Value): Value =>
  reshapeTo(emit, x, [like.shape[1] as number, ...like.shape.slice(2).map(() => 1)]);
