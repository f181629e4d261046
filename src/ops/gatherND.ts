import { shapeMismatch } from "../errors.ts";
import { allocate, formatType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { blockStarts } from "./kernels/indexed.ts";
import { batchedIndices, zerosOf } from "./write.ts";

/**
 * The blocks data[indices[…, :]]; the first `batch_dims` axes are common to both.
 * https://onnx.ai/onnx/operators/onnx__GatherND.html
 */
export const gatherND = defineOp({
  type: "GatherND",
  inputs: ["data", "indices"],
  outputs: ["output"],
  attrs: { batch_dims: 0 },
  infer: ({ data, indices }, { batch_dims }) => {
    const depth = indices.shape.at(-1) ?? 0;
    if (depth < 1 || batch_dims + depth > data.shape.length)
      throw shapeMismatch(
        `GatherND needs indices into at most ${data.shape.length - batch_dims} axes of ` +
          `${formatType(data)}; got ${formatType(indices)}`,
      );
    const shape = [...indices.shape.slice(0, -1), ...data.shape.slice(batch_dims + depth)];
    return [{ dtype: data.dtype, shape }];
  },
  grad: {
    data: (emit, { data, indices }, _out, d, { batch_dims }) => {
      const zeros = zerosOf(emit, data.dtype, data.shape);
      const full = batchedIndices(emit, indices, batch_dims);
      return emit.op("ScatterND", [zeros, full, d.output], { reduction: "add" });
    },
    indices: "none",
  },
  flops: () => 0,
  evaluate: ({ data, indices }, { batch_dims }, [out]) => {
    const { starts, length } = blockStarts(data.shape, indices, batch_dims);
    const gathered = allocate(data.dtype, numel(out?.shape ?? []));
    starts.forEach((from, k) => {
      gathered.set(data.data.subarray(from, from + length), k * length);
    });
    return [{ dtype: data.dtype, shape: out?.shape ?? [], data: gathered }];
  },
});
