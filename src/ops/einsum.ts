import { invariant, noGradientRule, shapeMismatch } from "../errors.ts";
import { formatType, numel, type TensorType } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { type Equation, einsumOf, parseEquation } from "./kernels/einsum.ts";
import { reshapeTo } from "./write.ts";

/**
 * Sums of products over the letters of `equation`. https://onnx.ai/onnx/operators/onnx__Einsum.html
 */
export const einsum = defineOp({
  type: "Einsum",
  inputs: ["Inputs*"],
  outputs: ["Output"],
  infer: ({ Inputs }, attrs: { readonly equation: string }) => {
    const equation = parseEquation(attrs.equation, Inputs);
    const sizes = sizesOf(attrs.equation, equation, Inputs);
    const dtype = Inputs[0]?.dtype ?? "float32";
    return [{ dtype, shape: equation.output.map((letter) => sizes.get(letter) as number) }];
  },
  grad: {
    // dX is the product of dY with the other operands, summed over the letters that X lacks.
    Inputs: (emit, { Inputs }, _out, d, attrs) => {
      const equation = parseEquation(attrs.equation, Inputs);
      return Inputs.map((X, k) => {
        const own = equation.inputs[k] ?? [];
        if (!X.requiresGrad) return null;
        if (new Set(own).size < own.length) throw noGradientRule("Einsum", "Inputs", null);
        const operands = [d.Output, ...Inputs.toSpliced(k, 1)];
        const terms = [equation.output, ...equation.inputs.toSpliced(k, 1)];
        const given = new Set(terms.flat());
        const result = own.filter((letter) => given.has(letter));
        const product = emit.op("Einsum", operands, {
          equation: `${terms.map((term) => term.join("")).join(",")}->${result.join("")}`,
        });
        // A letter that only X has was summed away: its gradient is the same all along.
        const kept = own.map((letter, axis) => (given.has(letter) ? (X.shape[axis] as number) : 1));
        return reshapeTo(emit, product, kept);
      });
    },
  },
  flops: ({ Inputs }, _out, attrs) => {
    const equation = parseEquation(attrs.equation, Inputs);
    return Inputs.length * numel([...sizesOf(attrs.equation, equation, Inputs).values()]);
  },
  evaluate: ({ Inputs }, attrs, [Output]) => {
    invariant(Output, "Einsum has an output");
    const equation = parseEquation(attrs.equation, Inputs);
    return [einsumOf(equation, Inputs, sizesOf(attrs.equation, equation, Inputs), Output)];
  },
});

function sizesOf(
  text: string,
  { inputs }: Equation,
  operands: readonly TensorType[],
): Map<string, number> {
  const sizes = new Map<string, number>();
  operands.forEach((operand, k) => {
    (inputs[k] ?? []).forEach((letter, axis) => {
      const size = operand.shape[axis] as number;
      const known = sizes.get(letter) ?? 1;
      if (known !== size && known !== 1 && size !== 1)
        throw shapeMismatch(
          `Einsum "${text}" needs one size for '${letter}'; got ${known} and ${size} ` +
            `(${operands.map(formatType).join(", ")})`,
        );
      sizes.set(letter, Math.max(known, size));
    });
  });
  return sizes;
}
