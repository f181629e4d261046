import { defineOp } from "./defineOp.ts";
import { elementIndex } from "./kernels/indexed.ts";
import { pick } from "./kernels/strided.ts";
import { axisOf } from "./shapes.ts";
import { zerosOf } from "./write.ts";

/**
 * output[i, j, …] = data[indices[i, j, …], j, …] for axis 0.
 * https://onnx.ai/onnx/operators/onnx__GatherElements.html
 */
export const gatherElements = defineOp({
  type: "GatherElements",
  inputs: ["data", "indices"],
  outputs: ["output"],
  attrs: { axis: 0 },
  infer: ({ data, indices }, { axis }) => {
    axisOf("GatherElements", axis, data.shape.length);
    return [{ dtype: data.dtype, shape: indices.shape }];
  },
  grad: {
    data: (emit, { data, indices }, _out, d, { axis }) => {
      const zeros = zerosOf(emit, data.dtype, data.shape);
      return emit.op("ScatterElements", [zeros, indices, d.output], { axis, reduction: "add" });
    },
    indices: "none",
  },
  flops: () => 0,
  evaluate: ({ data, indices }, { axis }, [out]) => [
    pick(data.data, elementIndex(data.shape, indices, axis), out),
  ],
});
