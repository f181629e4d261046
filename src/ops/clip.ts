import type { Value } from "../graph/graph.ts";
import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";
import { constantNumber } from "./write.ts";

/** Infinities bound nothing. */
const finite = (bound: Value | null): Value | null =>
  bound && Number.isFinite(constantNumber(bound) ?? 0) ? bound : null;

/**
 * max(min, …) then min(max, …); at the bounds the gradient is 0.
 * https://onnx.ai/onnx/operators/onnx__Clip.html
 */
export const clip = defineOp({
  type: "Clip",
  inputs: ["input", "min?", "max?"],
  outputs: ["output"],
  infer: ({ input }) => [typeOf(input)],
  grad: {
    input: (emit, { input, min, max }, _out, d) => {
      const [low, high] = [finite(min), finite(max)];
      const above = low && emit.op("Greater", [input, low]);
      const below = high && emit.op("Less", [input, high]);
      const inside = above && below ? emit.op("And", [above, below]) : (above ?? below);
      if (inside === null) return d.output;
      return emit.op("Where", [inside, d.output, emit.scalar(0, input.dtype)]);
    },
    min: (emit, { input, min }, _out, d) =>
      emit.op("Where", [emit.op("Less", [input, min]), d.output, emit.scalar(0, input.dtype)]),
    max: (emit, { input, max }, _out, d) =>
      emit.op("Where", [emit.op("Greater", [input, max]), d.output, emit.scalar(0, input.dtype)]),
  },
  evaluate: ({ input, min, max }, _attrs, [out]) => {
    const low = min?.data[0] ?? Number.NEGATIVE_INFINITY;
    const high = max?.data[0] ?? Number.POSITIVE_INFINITY;
    return [elementwise1(input, out, (x) => Math.min(Math.max(x, low), high))];
  },
});
