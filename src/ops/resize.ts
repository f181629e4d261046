import { shapeMismatch } from "../errors.ts";
import type { Emit, Value } from "../graph/graph.ts";
import type { TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { mixAxis, mixingMatrix, mixingTaps, type ResizeMode } from "./kernels/resize.ts";
import { type Known, knownNumbers } from "./shapes.ts";
import { reshapeTo, transpose } from "./write.ts";

/**
 * X read at other positions, axis by axis: to `sizes` or by `scales` (constants).
 * https://onnx.ai/onnx/operators/onnx__Resize.html
 */
export const resize = defineOp({
  type: "Resize",
  inputs: ["X", "roi?", "scales?", "sizes?"],
  outputs: ["Y"],
  attrs: {
    mode: "nearest",
    coordinate_transformation_mode: "half_pixel",
    nearest_mode: "round_prefer_floor",
    cubic_coeff_a: -0.75,
    exclude_outside: 0,
  },
  infer: ({ X, scales, sizes }, attrs: ResizeAttrs) => {
    if (attrs.antialias || attrs.axes || attrs.coordinate_transformation_mode.startsWith("tf"))
      throw shapeMismatch("Resize needs all axes, no antialias and no crop; got one of them");
    return [{ dtype: X.dtype, shape: axesOf(X, scales, sizes).map(({ to }) => to) }];
  },
  grad: {
    // Y = M · X along each axis with a constant M, so dX = Mᵀ · dY.
    X: (emit, { X, scales, sizes }, _out, d, attrs) =>
      axesOf(X, scales, sizes).reduce((dX, { from, to, scale }, axis) => {
        if (from === to && scale === 1) return dX;
        const data = Float64Array.from(mixingMatrix(from, to, scale, attrs));
        if (repeatsElements(data, from, to)) return sumOfRepeats(emit, dX, from, axis);
        const matrix = emit.constant({ dtype: "float64", shape: [to, from], data });
        return multiplyAxis(emit, dX, emit.op("Cast", [matrix], { to: X.dtype }), axis);
      }, d.Y),
    roi: "none",
    scales: "none",
    sizes: "none",
  },
  flops: (_at, [Y]) => 8 * (Y?.shape ?? []).reduce((n, size) => n * size, 1),
  evaluate: ({ X, scales, sizes }, attrs) => [
    axesOf(X, scales, sizes).reduceRight((Y, { from, to, scale }, axis) => {
      if (from === to && scale === 1) return Y;
      return mixAxis(Y, axis, mixingTaps(from, to, scale, attrs));
    }, X),
  ],
});

type ResizeAttrs = ResizeMode & {
  readonly antialias?: number;
  readonly axes?: readonly number[];
};

function axesOf(X: TensorType, scales: Known | null, sizes: Known | null) {
  const given = scales?.shape[0] ? knownNumbers("Resize", "scales", scales) : null;
  const wanted = sizes === null ? null : knownNumbers("Resize", "sizes", sizes);
  return X.shape.map((from, axis) => {
    const to = wanted?.[axis] ?? Math.floor(from * (given?.[axis] ?? 1));
    return { from, to, scale: given?.[axis] ?? to / from };
  });
}

/** Whether M[to, from] does nothing but repeat each element the same number of times. */
function repeatsElements(matrix: Float64Array, from: number, to: number): boolean {
  const times = to / from;
  if (!Number.isInteger(times)) return false;
  return matrix.every((x, at) => {
    const [row, column] = [Math.floor(at / from), at % from];
    return x === (Math.floor(row / times) === column ? 1 : 0);
  });
}

/** The sum over the places of each element: unlike a product with zeros, it leaves infinities where they are. */
function sumOfRepeats(emit: Emit, x: Value, from: number, axis: number): Value {
  const times = (x.shape[axis] as number) / from;
  const apart = reshapeTo(emit, x, x.shape.toSpliced(axis, 1, from, times));
  return emit.op("ReduceSum", [apart, emit.ints([axis + 1])], { keepdims: 0 });
}

/** x · matrix along one axis. */
function multiplyAxis(emit: Emit, x: Value, matrix: Value, axis: number): Value {
  const last = x.shape.length - 1;
  const perm = x.shape.map((_, k) => (k === axis ? last : k === last ? axis : k));
  const product = emit.op("MatMul", [transpose(emit, x, perm), matrix]);
  return transpose(emit, product, perm);
}
