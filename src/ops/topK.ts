import { defineOp } from "./defineOp.ts";
import { topPlaces } from "./kernels/order.ts";
import { alongAxis } from "./kernels/reduce.ts";
import { axisOf, knownNumbers } from "./shapes.ts";
import { zerosOf } from "./write.ts";

/**
 * The K largest (or smallest) elements along `axis`, best first, and where they were.
 * https://onnx.ai/onnx/operators/onnx__TopK.html
 */
export const topK = defineOp({
  type: "TopK",
  inputs: ["X", "K"],
  outputs: ["Values", "Indices"],
  attrs: { axis: -1, largest: 1, sorted: 1 },
  infer: ({ X, K }, attrs, outputs) => {
    const axis = axisOf("TopK", attrs.axis, X.shape.length);
    const shape = X.shape.with(axis, knownNumbers("TopK", "K", K)[0] ?? 0);
    const values = { dtype: X.dtype, shape };
    return [values, { dtype: "int64", shape } as const].slice(0, outputs);
  },
  grad: {
    X: (emit, { X }, { Indices }, d, { axis }) => {
      const zeros = zerosOf(emit, X.dtype, X.shape);
      return emit.op("ScatterElements", [zeros, Indices, d.Values], { axis });
    },
    K: "none",
  },
  flops: ({ X }) => X.shape.reduce((n, size) => n * size, 1),
  evaluate: ({ X, K }, { axis, largest }, out) => {
    const count = K.data[0] ?? 0;
    const places = (line: Float64Array) => topPlaces(line, count, largest !== 0);
    const Values = alongAxis(X, axis, out[0], (line) =>
      places(line).map((at) => line[at] as number),
    );
    const indexType = { dtype: "int64", shape: Values.shape } as const;
    return [Values, alongAxis(X, axis, indexType, places)];
  },
});
