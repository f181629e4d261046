import { defineOp } from "./defineOp.ts";
import { elementwiseAll } from "./kernels/elementwise.ts";
import { broadcastAll } from "./shapes.ts";
import { shareAmongInputs } from "./write.ts";

/**
 * The largest of the inputs; equals share the gradient, with broadcasting.
 * https://onnx.ai/onnx/operators/onnx__Max.html
 */
export const max = defineOp({
  type: "Max",
  inputs: ["data_0*"],
  outputs: ["max"],
  infer: ({ data_0 }) => [broadcastAll("Max", data_0)],
  grad: {
    data_0: (emit, { data_0 }, { max }, d) => shareAmongInputs(emit, data_0, max, d.max, "Less"),
  },
  flops: ({ data_0 }, [out]) => data_0.length * (out?.shape ?? []).reduce((n, size) => n * size, 1),
  evaluate: ({ data_0 }, _attrs, [out]) => [elementwiseAll(data_0, out, Math.max)],
});
