import { allocate, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { axisOf, knownNumbers } from "./shapes.ts";

/**
 * A new axis of size `depth` (a constant) with values[1] at the index and values[0] elsewhere.
 * https://onnx.ai/onnx/operators/onnx__OneHot.html
 */
export const oneHot = defineOp({
  type: "OneHot",
  inputs: ["indices", "depth", "values"],
  outputs: ["output"],
  attrs: { axis: -1 },
  infer: ({ indices, depth, values }, attrs) => {
    const size = knownNumbers("OneHot", "depth", depth)[0] ?? 0;
    const axis = axisOf("OneHot", attrs.axis, indices.shape.length + 1);
    return [{ dtype: values.dtype, shape: indices.shape.toSpliced(axis, 0, size) }];
  },
  grad: {
    indices: "none",
    depth: "none",
    // [Σ d, Σ d] over the elements that are off and on
    values: (emit, { indices, depth, values }, _out, d, attrs) => {
      const bounds = Float64Array.of(0, 1);
      const zeroOne = emit.constant({ dtype: "float64", shape: [2], data: bounds });
      const range = emit.op("Cast", [zeroOne], { to: values.dtype });
      const isOn = emit.op("OneHot", [indices, depth, range], attrs);
      const flat = { keepdims: 0 };
      const on = emit.op("ReduceSum", [emit.op("Mul", [d.output, isOn])], flat);
      const off = emit.op("Sub", [emit.op("ReduceSum", [d.output], flat), on]);
      const axis = emit.ints([0]);
      const pair = [off, on].map((x) => emit.op("Unsqueeze", [x, axis]));
      return emit.op("Concat", pair, { axis: 0 });
    },
  },
  flops: () => 0,
  evaluate: ({ indices, values }, attrs, [out]) => {
    const { dtype, shape } = out ?? values;
    const axis = axisOf("OneHot", attrs.axis, indices.shape.length + 1);
    const depth = shape[axis] ?? 0;
    const inner = numel(indices.shape.slice(axis));
    const data = allocate(dtype, numel(shape)).fill(values.data[0] as number);
    indices.data.forEach((given, k) => {
      const index = given < 0 ? given + depth : given;
      if (index < 0 || index >= depth) return;
      const at = Math.floor(k / inner) * depth * inner + index * inner + (k % inner);
      data[at] = values.data[1] as number;
    });
    return [{ dtype, shape, data }];
  },
});
