import { shapeMismatch } from "../errors.ts";
import { contiguousStrides, formatType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { pick, stridedIndex } from "./kernels/strided.ts";
import { transpose as transposed } from "./write.ts";

/**
 * Axis i of the output is axis perm[i] of the input; without `perm` reversed.
 * https://onnx.ai/onnx/operators/onnx__Transpose.html
 */
export const transpose = defineOp({
  type: "Transpose",
  inputs: ["data"],
  outputs: ["transposed"],
  infer: ({ data }, attrs: TransposeAttrs) => {
    const perm = permOf(data.shape, attrs);
    if (perm.length !== data.shape.length || new Set(perm).size !== perm.length)
      throw shapeMismatch(
        `Transpose needs each axis of ${formatType(data)} once; got perm [${perm.join(", ")}]`,
      );
    return [{ dtype: data.dtype, shape: perm.map((from) => data.shape[from] as number) }];
  },
  grad: {
    data: (emit, { data }, _out, d, attrs) => {
      const perm = permOf(data.shape, attrs);
      return transposed(
        emit,
        d.transposed,
        perm.map((_, axis) => perm.indexOf(axis)),
      );
    },
  },
  flops: () => 0,
  evaluate: ({ data }, attrs, [out]) => {
    const strides = contiguousStrides(data.shape);
    const read = permOf(data.shape, attrs).map((from) => strides[from] as number);
    return [pick(data.data, stridedIndex(out?.shape ?? [], read), out)];
  },
});

type TransposeAttrs = { readonly perm?: readonly number[] };

const permOf = (shape: readonly number[], { perm }: TransposeAttrs): readonly number[] =>
  perm ?? shape.map((_, axis) => shape.length - 1 - axis);
