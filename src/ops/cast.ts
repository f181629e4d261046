import {
  type DType,
  type HostArray,
  isFloat,
  type TensorType,
  toInteger,
} from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";

/** The same numbers in the element type `to`. https://onnx.ai/onnx/operators/onnx__Cast.html */
export const cast = defineOp({
  type: "Cast",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }, { to }: { readonly to: DType }) => [{ dtype: to, shape: input.shape }],
  grad: { input: (emit, { input }, _out, d) => emit.op("Cast", [d.output], { to: input.dtype }) },
  flops: () => 0,
  evaluate: ({ input }, _attrs, [output]) => [convert(input, output)],
});

/** Towards zero where the type holds integers; anything but 0 is true. */
export function convert(input: HostArray, output: TensorType | undefined): HostArray {
  const to = output?.dtype ?? input.dtype;
  if (to === "bool") return elementwise1(input, output, (x) => (x === 0 ? 0 : 1));
  return elementwise1(input, output, isFloat(input.dtype) && !isFloat(to) ? wholeOf(to) : (x) => x);
}

/** What a processor makes of a number that is no integer of the type: its least, cut to the type's bits. */
function wholeOf(to: DType): (x: number) => number {
  const limit = to === "int64" ? 2 ** 63 : 2 ** 31;
  const wild = to === "int64" || to === "int32" ? -limit : 0;
  return (x) => (x < limit && x >= -limit ? toInteger(x) : wild);
}
