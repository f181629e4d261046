import { defineOp } from "./defineOp.ts";
import { argumentOf } from "./kernels/order.ts";
import { alongAxis } from "./kernels/reduce.ts";
import { typeAlong } from "./shapes.ts";

/**
 * 1 at the first largest element along `axis`, else 0.
 * https://onnx.ai/onnx/operators/onnx__Hardmax.html
 */
export const hardmax = defineOp({
  type: "Hardmax",
  inputs: ["input"],
  outputs: ["output"],
  attrs: { axis: -1 },
  infer: ({ input }, { axis }) => [typeAlong("Hardmax", input, axis)],
  grad: { input: (emit, { input }) => emit.scalar(0, input.dtype) },
  evaluate: ({ input }, { axis }, [output]) => [
    alongAxis(input, axis, output, (line) => {
      const at = argumentOf(line, false, (x, best) => x > best);
      return line.map((_, k) => (k === at ? 1 : 0));
    }),
  ],
});
