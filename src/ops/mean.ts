import { defineOp } from "./defineOp.ts";
import { elementwise1, elementwiseAll } from "./kernels/elementwise.ts";
import { broadcastAll } from "./shapes.ts";

/** The mean of the inputs, with broadcasting. https://onnx.ai/onnx/operators/onnx__Mean.html */
export const mean = defineOp({
  type: "Mean",
  inputs: ["data_0*"],
  outputs: ["mean"],
  infer: ({ data_0 }) => [broadcastAll("Mean", data_0)],
  grad: {
    data_0: (emit, { data_0 }, { mean }, d) => {
      const share = emit.op("Mul", [d.mean, emit.scalar(1 / data_0.length, mean.dtype)]);
      return data_0.map(() => share);
    },
  },
  flops: ({ data_0 }, [out]) => data_0.length * (out?.shape ?? []).reduce((n, size) => n * size, 1),
  evaluate: ({ data_0 }, _attrs, [out]) => {
    const total = elementwiseAll(data_0, out, (a, b) => a + b);
    return [elementwise1(total, out, (x) => x / data_0.length)];
  },
});
