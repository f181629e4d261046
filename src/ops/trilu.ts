import { shapeMismatch } from "../errors.ts";
import { formatType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { typeOf } from "./shapes.ts";

/**
 * The part of matrices on and above (`upper`) or on and below the k-th diagonal.
 * https://onnx.ai/onnx/operators/onnx__Trilu.html
 */
export const trilu = defineOp({
  type: "Trilu",
  inputs: ["input", "k?"],
  outputs: ["output"],
  attrs: { upper: 1 },
  infer: ({ input }) => {
    if (input.shape.length < 2)
      throw shapeMismatch(`Trilu needs matrices; got ${formatType(input)}`);
    return [typeOf(input)];
  },
  grad: {
    input: (emit, { k }, _out, d, { upper }) => emit.op("Trilu", [d.output, k], { upper }),
    k: "none",
  },
  flops: () => 0,
  evaluate: ({ input, k }, { upper }) => {
    const [rows, columns] = input.shape.slice(-2) as [number, number];
    const diagonal = k?.data[0] ?? 0;
    const data = input.data.map((x, at) => {
      const row = Math.floor(at / columns) % rows;
      const offset = (at % columns) - row;
      return (upper ? offset >= diagonal : offset <= diagonal) ? x : 0;
    });
    return [{ dtype: input.dtype, shape: input.shape, data }];
  },
});
