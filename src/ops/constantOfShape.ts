import { allocate, type HostArray, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { knownNumbers } from "./shapes.ts";

/**
 * A tensor of the shape `input` (a constant) whose elements are all `value`; without it float32 0.
 * https://onnx.ai/onnx/operators/onnx__ConstantOfShape.html
 */
export const constantOfShape = defineOp({
  type: "ConstantOfShape",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }, { value }: { readonly value?: HostArray }) => [
    {
      dtype: value?.dtype ?? "float32",
      shape: knownNumbers("ConstantOfShape", "input", input),
    },
  ],
  grad: { input: "none" },
  flops: () => 0,
  evaluate: (_at, { value }, [out]) => {
    const { dtype, shape } = out ?? { dtype: "float32", shape: [] };
    return [{ dtype, shape, data: allocate(dtype, numel(shape)).fill(value?.data[0] ?? 0) }];
  },
});
