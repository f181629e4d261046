import { shapeMismatch } from "../errors.ts";
import { formatType, type HostArray, type TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { alongPairs } from "./kernels/dft.ts";
import { axisOf, type Known, knownNumbers } from "./shapes.ts";
import { padBy, sliceAxis } from "./write.ts";

/**
 * The discrete Fourier transform along `axis` of real ([…, 1]) or complex ([…, 2]) numbers;
 * `inverse` divides by the length; `onesided` keeps the first ⌊N/2⌋ + 1 frequencies of real
 * numbers. https://onnx.ai/onnx/operators/onnx__DFT.html
 */
export const dft = defineOp({
  type: "DFT",
  inputs: ["input", "dft_length?", "axis?"],
  outputs: ["output"],
  attrs: { inverse: 0, onesided: 0 },
  infer: ({ input, dft_length, axis }, { inverse, onesided }) => {
    const at = axisFrom(input, axis);
    const size = input.shape[at] as number;
    const length = dft_length ? knownNumbers("DFT", "dft_length", dft_length)[0] : size;
    if (length !== size || (onesided && inverse))
      throw shapeMismatch(
        `DFT needs the length of its axis, and all frequencies to invert; got ${formatType(input)}`,
      );
    const kept = onesided ? Math.floor(size / 2) + 1 : size;
    return [{ dtype: input.dtype, shape: input.shape.with(at, kept).with(-1, 2) }];
  },
  grad: {
    // Y = F X with a symmetric F, so dX = conj(F) dY: the other transform, but for its factor N.
    input: (emit, { input, axis }, { output }, d, { inverse }) => {
      const at = axisFrom(input, axis);
      const size = input.shape[at] as number;
      const none = output.shape.map(() => 0);
      const full = padBy(emit, d.output, none, none.with(at, size - (output.shape[at] as number)));
      const other = emit.op("DFT", [full, null, emit.scalar(at, "int64")], {
        inverse: 1 - inverse,
      });
      const factor = emit.scalar(inverse ? 1 / size : size, input.dtype);
      const last = input.shape.length - 1;
      return sliceAxis(emit, emit.op("Mul", [other, factor]), last, 0, input.shape[last] as number);
    },
    dft_length: "none",
    axis: "none",
  },
  flops: ({ input }) => {
    const count = input.shape.reduce((n, size) => n * size, 1);
    return 5 * count * Math.ceil(Math.log2(Math.max(count, 2)));
  },
  evaluate: ({ input, axis }, { inverse }, [output]): HostArray[] => [
    alongPairs(input, axisFrom(input, axis), inverse !== 0, output),
  ],
});

const axisFrom = (input: TensorType, axis: Known | null): number =>
  axisOf("DFT", axis ? (knownNumbers("DFT", "axis", axis)[0] ?? -2) : -2, input.shape.length);
