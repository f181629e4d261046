import { allocate, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { typeOf } from "./shapes.ts";

/**
 * The first sequence_lens[b] entries of each sequence in reverse order; time and batch are the
 * first two axes. https://onnx.ai/onnx/operators/onnx__ReverseSequence.html
 */
export const reverseSequence = defineOp({
  type: "ReverseSequence",
  inputs: ["input", "sequence_lens"],
  outputs: ["Y"],
  attrs: { batch_axis: 1, time_axis: 0 },
  infer: ({ input }) => [typeOf(input)],
  grad: {
    input: (emit, { sequence_lens }, _out, d, attrs) =>
      emit.op("ReverseSequence", [d.Y, sequence_lens], attrs),
    sequence_lens: "none",
  },
  flops: () => 0,
  evaluate: ({ input, sequence_lens }, { batch_axis, time_axis }) => {
    const [rows = 0, columns = 0] = input.shape;
    const inner = numel(input.shape.slice(2));
    const data = allocate(input.dtype, input.data.length);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const place = [row, column];
        const length = sequence_lens.data[place[batch_axis] as number] as number;
        const time = place[time_axis] as number;
        place[time_axis] = time < length ? length - 1 - time : time;
        const from = ((place[0] as number) * columns + (place[1] as number)) * inner;
        data.set(input.data.subarray(from, from + inner), (row * columns + column) * inner);
      }
    return [{ dtype: input.dtype, shape: input.shape, data }];
  },
});
