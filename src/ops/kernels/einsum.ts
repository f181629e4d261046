/** Equations of einsum: parsed, and computed on the host one product at a time. */
import { shapeMismatch } from "../../errors.ts";
import { allocate, type HostArray, numel, type TensorType } from "../../graph/tensor.ts";
import { roundTo } from "./round.ts";
import { stridedIndex } from "./strided.ts";

/**
 * The letters of each operand's axes and of the result's; an ellipsis is spelled out in spare
 * letters.
 */
export interface Equation {
  readonly inputs: readonly (readonly string[])[];
  readonly output: readonly string[];
}

export function parseEquation(text: string, operands: readonly TensorType[]): Equation {
  const [left = "", right] = text.replaceAll(" ", "").split("->");
  const terms = left.split(",");
  if (terms.length !== operands.length)
    throw shapeMismatch(`Einsum "${text}" needs ${terms.length} operands; got ${operands.length}`);
  const ranks = terms.map((term, k) => {
    const rank = (operands[k]?.shape.length ?? 0) - term.replace("...", "").length;
    if (rank < 0 || (rank > 0 && !term.includes("...")))
      throw shapeMismatch(
        `Einsum "${text}" needs operand ${k} with the axes '${term}'; ` +
          `got rank ${operands[k]?.shape.length}`,
      );
    return rank;
  });
  const widest = Math.max(0, ...ranks.filter((_, k) => terms[k]?.includes("...")));
  const used = new Set(text);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const spare = [...alphabet].filter((letter) => !used.has(letter)).slice(0, widest);
  const spell = (term: string, rank: number) => [
    ...term.replace("...", rank === 0 ? "" : spare.slice(-rank).join("")),
  ];
  const inputs = terms.map((term, k) => spell(term, ranks[k] ?? 0));
  const output = right === undefined ? implied(inputs, spare) : spell(right, widest);
  return { inputs, output };
}

/** Without an arrow: the ellipsis, then the letters that occur once, in alphabetical order. */
function implied(inputs: readonly (readonly string[])[], spare: readonly string[]): string[] {
  const all = inputs.flat();
  const once = all.filter((letter) => all.indexOf(letter) === all.lastIndexOf(letter));
  return [...spare, ...once.filter((letter) => !spare.includes(letter)).sort()];
}

export function einsumOf(
  { inputs, output }: Equation,
  operands: readonly HostArray[],
  sizes: ReadonlyMap<string, number>,
  out: TensorType,
): HostArray {
  const letters = [...output, ...[...sizes.keys()].filter((letter) => !output.includes(letter))];
  const shape = letters.map((letter) => sizes.get(letter) as number);
  const reads = operands.map((operand, k) =>
    stridedIndex(shape, stridesOf(letters, inputs[k] ?? [], operand.shape)),
  );
  const total = new Float64Array(numel(out.shape));
  const summed = numel(shape) / Math.max(total.length, 1);
  for (let at = 0; at < numel(shape); at++) {
    let product = 1;
    for (let k = 0; k < operands.length; k++)
      product *= operands[k]?.data[reads[k]?.[at] as number] as number;
    const to = Math.floor(at / summed);
    total[to] = (total[to] as number) + product;
  }
  const data = allocate(out.dtype, total.length);
  data.set(total);
  roundTo(out.dtype, data);
  return { dtype: out.dtype, shape: out.shape, data };
}

/**
 * How far one step along each letter moves in an operand; a repeated letter moves along its
 * diagonal.
 */
function stridesOf(
  letters: readonly string[],
  own: readonly string[],
  shape: readonly number[],
): number[] {
  const strides = letters.map(() => 0);
  let step = 1;
  for (let axis = own.length - 1; axis >= 0; axis--) {
    const at = letters.indexOf(own[axis] as string);
    if (shape[axis] !== 1) strides[at] = (strides[at] as number) + step;
    step *= shape[axis] as number;
  }
  return strides;
}
