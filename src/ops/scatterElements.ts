import { noGradientRule } from "../errors.ts";
import { defineOp } from "./defineOp.ts";
import { elementIndex, scatter } from "./kernels/indexed.ts";
import { axisOf, typeOf } from "./shapes.ts";

/**
 * `data` with output[indices[i, j, …], j, …] = updates[i, j, …] (axis 0), or combined by
 * `reduction`. https://onnx.ai/onnx/operators/onnx__ScatterElements.html
 */
export const scatterElements = defineOp({
  type: "ScatterElements",
  inputs: ["data", "indices", "updates"],
  outputs: ["output"],
  attrs: { axis: 0, reduction: "none" },
  infer: ({ data }, { axis }) => {
    axisOf("ScatterElements", axis, data.shape.length);
    return [typeOf(data)];
  },
  grad: {
    data: (emit, { indices, updates }, _out, d, { axis, reduction }) => {
      if (reduction === "add") return d.output;
      if (reduction !== "none") throw noGradientRule("ScatterElements", "data", null);
      const zeros = emit.op("Expand", [emit.scalar(0, updates.dtype), emit.ints(updates.shape)]);
      return emit.op("ScatterElements", [d.output, indices, zeros], { axis });
    },
    indices: "none",
    updates: (emit, { indices }, _out, d, { axis, reduction }) => {
      if (reduction !== "add" && reduction !== "none")
        throw noGradientRule("ScatterElements", "updates", null);
      return emit.op("GatherElements", [d.output, indices], { axis });
    },
  },
  flops: ({ updates }) => updates.shape.reduce((n, size) => n * size, 1),
  evaluate: ({ data, indices, updates }, { axis, reduction }) => [
    scatter(data, elementIndex(data.shape, indices, axis), updates, reduction),
  ],
});
