import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { typeOf } from "./shapes.ts";

/** X · max(0, min(1, X/6 + 1/2)). https://onnx.ai/onnx/operators/onnx__HardSwish.html */
export const hardSwish = defineOp({
  type: "HardSwish",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [typeOf(X)],
  grad: {
    // 0 up to −3, X/3 + 1/2 below 3, then 1
    X: (emit, { X }, _out, d) => {
      const scalar = (value: number) => emit.scalar(value, X.dtype);
      const slope = emit.op("Add", [emit.op("Mul", [X, scalar(1 / 3)]), scalar(0.5)]);
      const rising = emit.op("Where", [
        emit.op("Less", [X, scalar(3)]),
        emit.op("Mul", [d.Y, slope]),
        d.Y,
      ]);
      return emit.op("Where", [emit.op("LessOrEqual", [X, scalar(-3)]), scalar(0), rising]);
    },
  },
  evaluate: ({ X }, _attrs, [Y]) => [
    elementwise1(X, Y, (x) => x * Math.max(0, Math.min(1, x / 6 + 0.5))),
  ],
});
