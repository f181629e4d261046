import { allocate, type DType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";

/**
 * A matrix of the input's shape with ones on its k-th diagonal; `dtype` absent: the input's.
 * https://onnx.ai/onnx/operators/onnx__EyeLike.html
 */
export const eyeLike = defineOp({
  type: "EyeLike",
  inputs: ["input"],
  outputs: ["output"],
  attrs: { k: 0 },
  infer: ({ input }, { dtype }: EyeAttrs) => [{ dtype: dtype ?? input.dtype, shape: input.shape }],
  grad: { input: "none" },
  flops: () => 0,
  evaluate: ({ input }, { k }, [out]) => {
    const [rows, columns] = input.shape as [number, number];
    const data = allocate(out?.dtype ?? input.dtype, numel(input.shape));
    for (let row = 0; row < rows; row++)
      if (row + k >= 0 && row + k < columns) data[row * columns + row + k] = 1;
    return [{ dtype: out?.dtype ?? input.dtype, shape: input.shape, data }];
  },
});

type EyeAttrs = { readonly k: number; readonly dtype?: DType };
