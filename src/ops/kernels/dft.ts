/** The discrete Fourier transform of host arrays, term by term in float64. */
import { invariant } from "../../errors.ts";
import { allocate, type HostArray, numel, type TensorType } from "../../graph/tensor.ts";

/** `input` is […, 1] or […, 2] and the result […, 2]: real and imaginary parts. */
export function alongPairs(
  input: HostArray,
  axis: number,
  inverse: boolean,
  out: TensorType | undefined,
): HostArray {
  invariant(out, "alongPairs needs an output type");
  const size = input.shape[axis] as number;
  const kept = out.shape[axis] as number;
  const parts = input.shape.at(-1) as number;
  const inner = numel(input.shape.slice(axis + 1, -1));
  const outer = numel(input.shape.slice(0, axis));
  const data = allocate(out.dtype, numel(out.shape));
  const turn = ((inverse ? 2 : -2) * Math.PI) / size;
  const scale = inverse ? 1 / size : 1;
  for (let line = 0; line < outer * inner; line++) {
    const [o, i] = [Math.floor(line / inner), line % inner];
    for (let f = 0; f < kept; f++) {
      let [real, imaginary] = [0, 0];
      for (let t = 0; t < size; t++) {
        const from = ((o * size + t) * inner + i) * parts;
        const [re, im] = [input.data[from] as number, parts > 1 ? (input.data[from + 1] ?? 0) : 0];
        const [c, s] = [Math.cos(turn * ((f * t) % size)), Math.sin(turn * ((f * t) % size))];
        real += re * c - im * s;
        imaginary += re * s + im * c;
      }
      const to = ((o * kept + f) * inner + i) * 2;
      data[to] = real * scale;
      data[to + 1] = imaginary * scale;
    }
  }
  return { dtype: out.dtype, shape: out.shape, data };
}
