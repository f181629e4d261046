import { allocate, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { axisOf } from "./shapes.ts";
import { addAlongAxis, reshapeTo } from "./write.ts";

/**
 * The entries `indices` of one axis, whose place the axes of `indices` take.
 * https://onnx.ai/onnx/operators/onnx__Gather.html
 */
export const gather = defineOp({
  type: "Gather",
  inputs: ["data", "indices"],
  outputs: ["output"],
  attrs: { axis: 0 },
  infer: ({ data, indices }, attrs) => {
    const axis = axisOf("Gather", attrs.axis, data.shape.length);
    return [{ dtype: data.dtype, shape: data.shape.toSpliced(axis, 1, ...indices.shape) }];
  },
  grad: {
    data: (emit, { data, indices }, _out, d, attrs) => {
      const axis = axisOf("Gather", attrs.axis, data.shape.length);
      const count = numel(indices.shape);
      const flat = reshapeTo(emit, indices, [count]);
      const rows = reshapeTo(emit, d.output, data.shape.with(axis, count));
      return addAlongAxis(emit, rows, axis, flat, data.shape[axis] ?? 0);
    },
    indices: "none",
  },
  flops: () => 0,
  evaluate: ({ data, indices }, attrs, [out]) => {
    const axis = axisOf("Gather", attrs.axis, data.shape.length);
    const size = data.shape[axis] ?? 0;
    const inner = numel(data.shape.slice(axis + 1));
    const outer = numel(data.shape.slice(0, axis));
    const gathered = allocate(data.dtype, numel(out?.shape ?? []));
    let to = 0;
    for (let o = 0; o < outer; o++)
      for (const index of indices.data) {
        const from = (o * size + (index < 0 ? index + size : index)) * inner;
        gathered.set(data.data.subarray(from, from + inner), to);
        to += inner;
      }
    return [{ dtype: data.dtype, shape: out?.shape ?? [], data: gathered }];
  },
});
