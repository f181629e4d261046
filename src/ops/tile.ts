import { contiguousStrides } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { gridIndex, pick } from "./kernels/strided.ts";
import { knownNumbers } from "./shapes.ts";
import { reshapeTo } from "./write.ts";

/**
 * The input `repeats` (a constant, one for each axis) times along each axis.
 * https://onnx.ai/onnx/operators/onnx__Tile.html
 */
export const tile = defineOp({
  type: "Tile",
  inputs: ["input", "repeats"],
  outputs: ["output"],
  infer: ({ input, repeats }) => {
    const times = knownNumbers("Tile", "repeats", repeats);
    return [{ dtype: input.dtype, shape: input.shape.map((size, k) => size * (times[k] ?? 1)) }];
  },
  grad: {
    input: (emit, { input, repeats }, _out, d) => {
      const times = knownNumbers("Tile", "repeats", repeats);
      const apart = input.shape.flatMap((size, axis) => [times[axis] ?? 1, size]);
      const axes = input.shape.map((_, axis) => 2 * axis);
      return emit.op("ReduceSum", [reshapeTo(emit, d.output, apart), emit.ints(axes)], {
        keepdims: 0,
      });
    },
    repeats: "none",
  },
  flops: () => 0,
  evaluate: ({ input }, _attrs, [out]) => {
    const strides = contiguousStrides(input.shape);
    const places = input.shape.map((size, axis) =>
      Array.from(
        { length: out?.shape[axis] ?? 0 },
        (_, i) => (i % size) * (strides[axis] as number),
      ),
    );
    return [pick(input.data, gridIndex(places), out)];
  },
});
