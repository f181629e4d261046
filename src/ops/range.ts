import { allocate } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { type Known, knownNumbers } from "./shapes.ts";

/**
 * start, start + delta, … below limit (constants of rank 0).
 * https://onnx.ai/onnx/operators/onnx__Range.html
 */
export const range = defineOp({
  type: "Range",
  inputs: ["start", "limit", "delta"],
  outputs: ["output"],
  infer: ({ start, limit, delta }) => [
    { dtype: start.dtype, shape: [countOf(start, limit, delta)] },
  ],
  grad: { start: "none", limit: "none", delta: "none" },
  evaluate: ({ start, limit, delta }) => {
    const data = allocate(start.dtype, countOf(start, limit, delta));
    const [first, step] = [start.data[0] as number, delta.data[0] as number];
    data.forEach((_, k) => {
      data[k] = first + k * step;
    });
    return [{ dtype: start.dtype, shape: [data.length], data }];
  },
});

function countOf(start: Known, limit: Known, delta: Known): number {
  const [from = 0] = knownNumbers("Range", "start", start);
  const [to = 0] = knownNumbers("Range", "limit", limit);
  const [step = 1] = knownNumbers("Range", "delta", delta);
  return Math.max(Math.ceil((to - from) / step), 0);
}
