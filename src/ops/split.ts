import { shapeMismatch } from "../errors.ts";
import { contiguousStrides, formatType, type TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { pick, stridedIndex } from "./kernels/strided.ts";
import { axisOf, type Known, knownNumbers } from "./shapes.ts";

/**
 * Consecutive parts along `axis`: of the sizes `split` (a constant), else `num_outputs` equal parts
 * of which the last may be smaller. https://onnx.ai/onnx/operators/onnx__Split.html
 */
export const split = defineOp({
  type: "Split",
  inputs: ["input", "split?"],
  outputs: ["outputs*"],
  attrs: { axis: 0 },
  infer: ({ input, split }, attrs: SplitAttrs, outputs) => {
    const axis = axisOf("Split", attrs.axis, input.shape.length);
    const sizes = partSizes(input, split, axis, attrs.num_outputs ?? outputs);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total !== input.shape[axis] || sizes.length !== outputs)
      throw shapeMismatch(
        `Split needs ${outputs} parts of axis ${axis} of ${formatType(input)}; ` +
          `got sizes [${sizes.join(", ")}]`,
      );
    return sizes.map((size) => ({ dtype: input.dtype, shape: input.shape.with(axis, size) }));
  },
  grad: {
    input: (emit, _at, _out, d, { axis }) => emit.op("Concat", d.outputs, { axis }),
    split: "none",
  },
  flops: () => 0,
  evaluate: ({ input }, attrs, out) => {
    const axis = axisOf("Split", attrs.axis, input.shape.length);
    const strides = contiguousStrides(input.shape);
    let start = 0;
    return out.map((part) => {
      const index = stridedIndex(part.shape, strides, start * (strides[axis] as number));
      start += part.shape[axis] as number;
      return pick(input.data, index, part);
    });
  },
});

type SplitAttrs = { readonly axis: number; readonly num_outputs?: number };

function partSizes(input: TensorType, split: Known | null, axis: number, parts: number): number[] {
  if (split !== null) return knownNumbers("Split", "split", split);
  const total = input.shape[axis] as number;
  const size = Math.ceil(total / parts);
  return Array.from({ length: parts }, (_, k) => Math.min(size, Math.max(total - k * size, 0)));
}
