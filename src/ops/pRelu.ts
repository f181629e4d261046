import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/**
 * X above 0, slope · X below and at 0; the slope broadcasts.
 * https://onnx.ai/onnx/operators/onnx__PRelu.html
 */
export const pRelu = defineOp({
  type: "PRelu",
  inputs: ["X", "slope"],
  outputs: ["Y"],
  infer: ({ X, slope }) => [broadcastTypes("PRelu", X, slope)],
  grad: {
    X: (emit, { X, slope }, _out, d) => {
      const above = emit.op("Greater", [X, emit.scalar(0, X.dtype)]);
      return emit.op("Where", [above, d.Y, emit.op("Mul", [d.Y, slope])]);
    },
    slope: (emit, { X }, _out, d) => {
      const zero = emit.scalar(0, X.dtype);
      const above = emit.op("Greater", [X, zero]);
      return emit.op("Where", [above, zero, emit.op("Mul", [d.Y, X])]);
    },
  },
  evaluate: ({ X, slope }, _attrs, [Y]) => [
    elementwise2(X, slope, Y, (x, factor) => (x > 0 ? x : factor * x)),
  ],
});
