import { shapeMismatch } from "../errors.ts";
import { formatType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { axisOf, knownNumbers } from "./shapes.ts";
import { reshapeTo } from "./write.ts";

/**
 * Without the axes `axes`, which have size 1 (absent: without every such axis).
 * https://onnx.ai/onnx/operators/onnx__Squeeze.html
 */
export const squeeze = defineOp({
  type: "Squeeze",
  inputs: ["data", "axes?"],
  outputs: ["squeezed"],
  infer: ({ data, axes }) => {
    const rank = data.shape.length;
    const removed = new Set(
      axes === null
        ? data.shape.flatMap((size, axis) => (size === 1 ? [axis] : []))
        : knownNumbers("Squeeze", "axes", axes).map((axis) => axisOf("Squeeze", axis, rank)),
    );
    for (const axis of removed)
      if (data.shape[axis] !== 1)
        throw shapeMismatch(`Squeeze needs size 1 at axis ${axis}; got ${formatType(data)}`);
    return [{ dtype: data.dtype, shape: data.shape.filter((_, axis) => !removed.has(axis)) }];
  },
  grad: {
    data: (emit, { data }, _out, d) => reshapeTo(emit, d.squeezed, data.shape),
    axes: "none",
  },
  flops: () => 0,
  evaluate: ({ data }, _attrs, [out]) => [
    { dtype: data.dtype, shape: out?.shape ?? [], data: data.data },
  ],
});
