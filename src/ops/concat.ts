import { invariant, shapeMismatch } from "../errors.ts";
import { allocate, formatType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { axisOf } from "./shapes.ts";
import { sliceAxis } from "./write.ts";

/** The inputs one after another along `axis`. https://onnx.ai/onnx/operators/onnx__Concat.html */
export const concat = defineOp({
  type: "Concat",
  inputs: ["inputs*"],
  outputs: ["concat_result"],
  infer: ({ inputs }, attrs: { readonly axis: number }) => {
    const [first, ...others] = inputs;
    invariant(first, "Concat needs an input");
    const axis = axisOf("Concat", attrs.axis, first.shape.length);
    const shape = [...first.shape];
    for (const next of others) {
      const fits = shape.every((size, k) => k === axis || size === next.shape[k]);
      if (!fits || next.shape.length !== shape.length || next.dtype !== first.dtype)
        throw shapeMismatch(
          `Concat needs one type and one shape but for axis ${axis}; ` +
            `got ${formatType(first)} and ${formatType(next)}`,
        );
      shape[axis] = (shape[axis] ?? 0) + (next.shape[axis] ?? 0);
    }
    return [{ dtype: first.dtype, shape }];
  },
  grad: {
    inputs: (emit, { inputs }, { concat_result }, d, attrs) => {
      const axis = axisOf("Concat", attrs.axis, concat_result.shape.length);
      const sizes = inputs.map(({ shape }) => shape[axis] ?? 0);
      if (inputs.filter((input) => input.requiresGrad).length > 1)
        return emit.ops("Split", [d.concat_result, emit.ints(sizes)], { axis }, sizes.length);
      let start = 0;
      return inputs.map(({ requiresGrad }, k) => {
        const end = start + (sizes[k] as number);
        const part = requiresGrad ? sliceAxis(emit, d.concat_result, axis, start, end) : null;
        start = end;
        return part;
      });
    },
  },
  flops: () => 0,
  evaluate: ({ inputs }, attrs, [out]) => {
    const { dtype, shape } = out ?? { dtype: "float32", shape: [] };
    const axis = axisOf("Concat", attrs.axis, shape.length);
    const data = allocate(dtype, numel(shape));
    const outer = numel(shape.slice(0, axis));
    let to = 0;
    for (let o = 0; o < outer; o++)
      for (const input of inputs) {
        const length = input.data.length / outer;
        data.set(input.data.subarray(o * length, (o + 1) * length), to);
        to += length;
      }
    return [{ dtype, shape, data }];
  },
});
