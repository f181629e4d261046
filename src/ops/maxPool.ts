import { invariant } from "../errors.ts";
import { allocate, numel, type TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { taps } from "./kernels/windows.ts";
import { type WindowAttrs, type Windows, windowsOf } from "./windows.ts";
import { flatIn, reshapeTo, zerosOf } from "./write.ts";

/**
 * The largest element of each window and its place in X as one row of numbers; of equals the first.
 * On the host the last NaN of a window is its largest, as in PyTorch; ONNX leaves NaN open.
 * https://onnx.ai/onnx/operators/onnx__MaxPool.html
 */
export const maxPool = defineOp({
  type: "MaxPool",
  inputs: ["X"],
  outputs: ["Y", "Indices?"],
  infer: ({ X }, attrs: WindowAttrs, outputs) => {
    const shape = [...X.shape.slice(0, 2), ...windows(X, attrs).counts];
    return [{ dtype: X.dtype, shape }, { dtype: "int64", shape } as const].slice(0, outputs);
  },
  grad: {
    X: (emit, { X }, { Indices }, d, attrs) => {
      const indices = Indices ?? emit.ops("MaxPool", [X], attrs, 2)[1];
      invariant(indices, "MaxPool has two outputs");
      const count = [numel(d.Y.shape)];
      const sum = emit.op(
        "ScatterElements",
        [
          zerosOf(emit, X.dtype, [numel(X.shape)]),
          reshapeTo(emit, indices, count),
          reshapeTo(emit, d.Y, count),
        ],
        { reduction: "add" },
      );
      return flatIn(emit, X, reshapeTo(emit, sum, X.shape));
    },
  },
  flops: ({ X }, [Y], attrs) => numel(Y?.shape ?? []) * numel(windows(X, attrs).kernel),
  evaluate: ({ X }, attrs, out) => {
    const windowTaps = taps(X.shape.slice(2), windows(X, attrs));
    const area = numel(X.shape.slice(2));
    const shape = out[0]?.shape ?? [];
    const Y = allocate(X.dtype, numel(shape));
    const Indices = new Float64Array(Y.length);
    for (let i = 0; i < Y.length; i++) {
      const start = Math.floor(i / windowTaps.length) * area;
      const places = (windowTaps[i % windowTaps.length] ?? []).map(
        ({ inImage }) => start + inImage,
      );
      const value = (at: number) => X.data[at] as number;
      const isAbove = (at: number, top: number) =>
        value(at) > value(top) || Number.isNaN(value(at));
      const best = places.reduce((top, at) => (isAbove(at, top) ? at : top), places[0] ?? 0);
      Y[i] = value(best);
      Indices[i] = best;
    }
    return [
      { dtype: X.dtype, shape, data: Y },
      { dtype: "int64", shape, data: Indices },
    ];
  },
});

const windows = (X: TensorType, attrs: WindowAttrs): Windows =>
  windowsOf("MaxPool", X, attrs.kernel_shape ?? [], attrs);
