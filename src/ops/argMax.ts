import { defineOp } from "./defineOp.ts";
import { argumentOf } from "./kernels/order.ts";
import { alongAxis } from "./kernels/reduce.ts";
import { argumentType } from "./shapes.ts";

/**
 * Where the largest element along `axis` is: the first of equals, or the last.
 * https://onnx.ai/onnx/operators/onnx__ArgMax.html
 */
export const argMax = defineOp({
  type: "ArgMax",
  inputs: ["data"],
  outputs: ["reduced"],
  attrs: { axis: 0, keepdims: 1, select_last_index: 0 },
  infer: ({ data }, attrs) => [argumentType("ArgMax", data, attrs)],
  grad: { data: "none" },
  flops: ({ data }) => data.shape.reduce((n, size) => n * size, 1),
  evaluate: ({ data }, { axis, select_last_index }, [reduced]) => [
    alongAxis(data, axis, reduced, (line) => [
      argumentOf(line, select_last_index !== 0, (x, best) => x > best),
    ]),
  ],
});
