import { defineOp } from "./defineOp.ts";
import { broadcastIndex } from "./kernels/elementwise.ts";
import { pick } from "./kernels/strided.ts";
import { broadcastShapes, knownNumbers } from "./shapes.ts";

/** Broadcast to `shape` (a constant). https://onnx.ai/onnx/operators/onnx__Expand.html */
export const expand = defineOp({
  type: "Expand",
  inputs: ["input", "shape"],
  outputs: ["output"],
  infer: ({ input, shape }) => [
    {
      dtype: input.dtype,
      shape: broadcastShapes("Expand", input.shape, knownNumbers("Expand", "shape", shape)),
    },
  ],
  grad: { input: (_emit, _at, _out, d) => d.output, shape: "none" },
  flops: () => 0,
  evaluate: ({ input }, _attrs, [out]) => {
    const shape = out?.shape ?? input.shape;
    const index = broadcastIndex(input.shape, shape);
    return [index === null ? { ...input, shape } : pick(input.data, index, out)];
  },
});
