import { shapeMismatch } from "../errors.ts";
import { allocate, formatType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { broadcastIndex } from "./kernels/elementwise.ts";
import { broadcastShapes, broadcastTypes } from "./shapes.ts";

/**
 * X where the condition holds, Y elsewhere, with broadcasting.
 * https://onnx.ai/onnx/operators/onnx__Where.html
 */
export const where = defineOp({
  type: "Where",
  inputs: ["condition", "X", "Y"],
  outputs: ["output"],
  infer: ({ condition, X, Y }) => {
    if (condition.dtype !== "bool")
      throw shapeMismatch(`Where needs a bool condition; got ${formatType(condition)}`);
    const { dtype, shape } = broadcastTypes("Where", X, Y);
    return [{ dtype, shape: broadcastShapes("Where", condition.shape, shape) }];
  },
  grad: {
    condition: "none",
    // A product with the mask would turn an infinite gradient of the other side into NaN.
    X: (emit, { condition, X }, _out, d) =>
      emit.op("Where", [condition, d.output, emit.scalar(0, X.dtype)]),
    Y: (emit, { condition, Y }, _out, d) =>
      emit.op("Where", [condition, emit.scalar(0, Y.dtype), d.output]),
  },
  flops: () => 0,
  evaluate: ({ condition, X, Y }, _attrs, [output]) => {
    const { dtype, shape } = output ?? X;
    const data = allocate(dtype, numel(shape));
    const [c, x, y] = [condition, X, Y].map((array) => broadcastIndex(array.shape, shape));
    for (let i = 0; i < data.length; i++) {
      const holds = condition.data[c?.[i] ?? i];
      data[i] = (holds ? X.data[x?.[i] ?? i] : Y.data[y?.[i] ?? i]) as number;
    }
    return [{ dtype, shape, data }];
  },
});
