import { shapeMismatch } from "../errors.ts";
import { formatType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { knownNumbers } from "./shapes.ts";

/**
 * The same elements in row-major order under another shape (a constant; −1: what is left).
 * https://onnx.ai/onnx/operators/onnx__Reshape.html
 */
export const reshape = defineOp({
  type: "Reshape",
  inputs: ["data", "shape"],
  outputs: ["reshaped"],
  attrs: { allowzero: 0 },
  infer: ({ data, shape }, { allowzero }) => {
    const sizes = knownNumbers("Reshape", "shape", shape).map((size, axis) =>
      size === 0 && !allowzero ? (data.shape[axis] ?? 0) : size,
    );
    const left = sizes.indexOf(-1);
    if (left >= 0) {
      const others = numel(sizes.filter((_, axis) => axis !== left));
      sizes[left] = others === 0 ? 0 : numel(data.shape) / others;
    }
    if (numel(sizes) !== numel(data.shape) || !sizes.every(Number.isInteger))
      throw shapeMismatch(
        `Reshape needs ${numel(data.shape)} elements; ` +
          `got ${formatType(data)} and [${knownNumbers("Reshape", "shape", shape).join(", ")}]`,
      );
    return [{ dtype: data.dtype, shape: sizes }];
  },
  grad: {
    data: (emit, { data }, _, d) =>
      emit.op("Reshape", [d.reshaped, emit.ints(data.shape)], { allowzero: 1 }),
    shape: "none",
  },
  flops: () => 0,
  evaluate: ({ data }, _attrs, [out]) => [
    { dtype: data.dtype, shape: out?.shape ?? [], data: data.data },
  ],
});
