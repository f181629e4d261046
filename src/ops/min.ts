import { defineOp } from "./defineOp.ts";
import { elementwiseAll } from "./kernels/elementwise.ts";
import { broadcastAll } from "./shapes.ts";
import { shareAmongInputs } from "./write.ts";

/**
 * The smallest of the inputs; equals share the gradient, with broadcasting.
 * https://onnx.ai/onnx/operators/onnx__Min.html
 */
export const min = defineOp({
  type: "Min",
  inputs: ["data_0*"],
  outputs: ["min"],
  infer: ({ data_0 }) => [broadcastAll("Min", data_0)],
  grad: {
    data_0: (emit, { data_0 }, { min }, d) => shareAmongInputs(emit, data_0, min, d.min, "Greater"),
  },
  flops: ({ data_0 }, [out]) => data_0.length * (out?.shape ?? []).reduce((n, size) => n * size, 1),
  evaluate: ({ data_0 }, _attrs, [out]) => [elementwiseAll(data_0, out, Math.min)],
});
