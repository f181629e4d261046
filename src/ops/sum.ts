import { defineOp } from "./defineOp.ts";
import { elementwiseAll } from "./kernels/elementwise.ts";
import { broadcastAll } from "./shapes.ts";

/** The sum of the inputs, with broadcasting. https://onnx.ai/onnx/operators/onnx__Sum.html */
export const sum = defineOp({
  type: "Sum",
  inputs: ["data_0*"],
  outputs: ["sum"],
  infer: ({ data_0 }) => [broadcastAll("Sum", data_0)],
  grad: {
    data_0: (_emit, { data_0 }, _out, d) => data_0.map(() => d.sum),
  },
  flops: ({ data_0 }, [out]) => data_0.length * (out?.shape ?? []).reduce((n, size) => n * size, 1),
  evaluate: ({ data_0 }, _attrs, [out]) => [elementwiseAll(data_0, out, (a, b) => a + b)],
});
