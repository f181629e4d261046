import { noGradientRule } from "../errors.ts";
import { defineOp } from "./defineOp.ts";
import { blockStarts, scatter } from "./kernels/indexed.ts";
import { typeOf } from "./shapes.ts";

/**
 * `data` with the blocks output[indices[…, :]] = updates[…], or combined by `reduction`.
 * https://onnx.ai/onnx/operators/onnx__ScatterND.html
 */
export const scatterND = defineOp({
  type: "ScatterND",
  inputs: ["data", "indices", "updates"],
  outputs: ["output"],
  attrs: { reduction: "none" },
  infer: ({ data }) => [typeOf(data)],
  grad: {
    data: (emit, { indices, updates }, _out, d, { reduction }) => {
      if (reduction === "add") return d.output;
      if (reduction !== "none") throw noGradientRule("ScatterND", "data", null);
      const zeros = emit.op("Expand", [emit.scalar(0, updates.dtype), emit.ints(updates.shape)]);
      return emit.op("ScatterND", [d.output, indices, zeros]);
    },
    indices: "none",
    updates: (emit, { indices }, _out, d, { reduction }) => {
      if (reduction !== "add" && reduction !== "none")
        throw noGradientRule("ScatterND", "updates", null);
      return emit.op("GatherND", [d.output, indices]);
    },
  },
  flops: ({ updates }) => updates.shape.reduce((n, size) => n * size, 1),
  evaluate: ({ data, indices, updates }, { reduction }) => {
    const { starts, length } = blockStarts(data.shape, indices, 0);
    const index = new Int32Array(updates.data.length);
    for (let i = 0; i < index.length; i++)
      index[i] = (starts[Math.floor(i / length)] as number) + (i % length);
    return [scatter(data, index, updates, reduction)];
  },
});
