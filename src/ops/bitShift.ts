import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/**
 * X · 2^Y, or X / 2^Y rounded down, of unsigned integers; `direction` is LEFT or RIGHT.
 * https://onnx.ai/onnx/operators/onnx__BitShift.html
 */
export const bitShift = defineOp({
  type: "BitShift",
  inputs: ["X", "Y"],
  outputs: ["Z"],
  infer: ({ X, Y }, _attrs: { readonly direction: string }) => [broadcastTypes("BitShift", X, Y)],
  grad: { X: "none", Y: "none" },
  evaluate: ({ X, Y }, { direction }, [Z]) => [
    elementwise2(X, Y, Z, (x, y) => (direction === "LEFT" ? x * 2 ** y : Math.floor(x / 2 ** y))),
  ],
});
