import type { Emit, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { normalizeRows } from "./kernels/normalize.ts";
import { axisOf, typeOf } from "./shapes.ts";
import { filled, meanFrom } from "./write.ts";

/**
 * Y = X / √(mean(X²) + epsilon) · scale over the axes from `axis` on.
 * https://onnx.ai/onnx/operators/onnx__RMSNormalization.html
 */
export const rmsNormalization = defineOp({
  type: "RMSNormalization",
  inputs: ["X", "scale"],
  outputs: ["Y"],
  attrs: { axis: -1, epsilon: 1e-5, stash_type: 1 },
  infer: ({ X }, { axis }) => {
    axisOf("RMSNormalization", axis, X.shape.length);
    return [typeOf(X)];
  },
  grad: {
    // With g = dY · scale and r = 1/√(mean(X²) + epsilon): dX = r · (g − X̂ · mean(g · X̂)).
    X: (emit, { X, scale }, _out, d, attrs) => {
      const axis = axisOf("RMSNormalization", attrs.axis, X.shape.length);
      const normal = normalized(emit, X, scale, attrs);
      const g = emit.op("Mul", [d.Y, scale]);
      const along = meanFrom(emit, emit.op("Mul", [g, normal]), axis);
      const straight = emit.op("Sub", [g, emit.op("Mul", [normal, along])]);
      return emit.op("Div", [straight, rootMeanSquare(emit, X, axis, attrs.epsilon)]);
    },
    scale: (emit, { X, scale }, _out, d, attrs) =>
      emit.op("Mul", [d.Y, normalized(emit, X, scale, attrs)]),
  },
  flops: ({ X }) => 5 * numel(X.shape),
  evaluate: ({ X, scale }, attrs, out) => {
    const axis = axisOf("RMSNormalization", attrs.axis, X.shape.length);
    return normalizeRows(X, axis, scale, null, out, {
      epsilon: attrs.epsilon,
      center: false,
      merges: false,
    });
  },
});

type Attrs = { readonly axis: number; readonly epsilon: number };

const normalized = (emit: Emit, X: Value, scale: Value, { axis, epsilon }: Attrs): Value =>
  emit.op("RMSNormalization", [X, filled(emit, 1, scale)], { axis, epsilon });

function rootMeanSquare(emit: Emit, X: Value, axis: number, epsilon: number): Value {
  const axes = X.shape.flatMap((_, k) => (k >= axis ? [k] : []));
  const squares = emit.op("ReduceSumSquare", [X, emit.ints(axes)], { keepdims: 1 });
  const count = numel(X.shape.slice(axis));
  const mean = emit.op("Mul", [squares, emit.scalar(1 / count, X.dtype)]);
  return emit.op("Sqrt", [emit.op("Add", [mean, emit.scalar(epsilon, X.dtype)])]);
}
