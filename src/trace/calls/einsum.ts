/** torch.einsum. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import type { Arg, Param } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { contractedStrides, onDiagonal, permutedTo } from "../layout/contracted.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import type { Store } from "../storeTypes.ts";
import type { Tensor } from "../tensor.ts";
import { permuted, strided } from "../views.ts";
import { pair, parts } from "./complexNumbers.ts";
import { contract } from "./contraction.ts";
import { type Equation, readEquation } from "./einsumEquation.ts";
import { keptOfContraction } from "./keptFactors.ts";
import { isOfNothing, needSameScalarType } from "./matmulErrors.ts";
import { complexProduct } from "./matrices.ts";

const everything: Param<readonly Arg[]> = {
  describe: "an equation and operands",
  accept: (arg) => (Array.isArray(arg) ? (arg as readonly Arg[]) : undefined),
  rest: true,
};

export const einsum = torchCall({
  name: "einsum",
  in: ["torch"],
  params: { args: everything },
  savesOf: ({ args }, requiresGrad) => {
    const { operands, output } = readEquation(args);
    return keptOfContraction(operands, output, requiresGrad);
  },
  build: (ctx, { args }) => {
    if (Array.isArray(args[0]))
      throw torchError(
        "TypeError",
        "einsum(): argument 'equation' (position 1) must be str, not list",
      );
    const { operands, output } = readEquation(args);
    const [first] = operands;
    if (!first) throw torchError("RuntimeError", "einsum(): must provide at least one operand");
    const [, second] = operands;
    const isProduct = operands.every(({ labels }) => labels.every((it) => output.includes(it)));
    if (isProduct && !second) return shownAs(ctx.store, first, output);
    const type = typeOfProduct(ctx, operands, output, isProduct);
    const values = operands.map(({ tensor }) => ctx.as(tensor, type));
    const labels = operands.map((operand) => operand.labels);
    const write = isComplexType(type) ? contractComplex : contract;
    const laid = operands.map(({ tensor: { shape, strides }, labels }) => ({
      shape,
      strides,
      labels,
    }));
    const strides = contractedStrides(laid, output);
    const typed = write(ctx.emit, values, labels, output, type);
    return { typed, as: type, strides, hasHiddenBase: endsInMatrices(operands, output) };
  },
});

/** The axes in another order, or the diagonal of those that have the same label: a view. */
function shownAs(
  store: Store,
  { tensor, labels }: Equation["operands"][number],
  output: Equation["output"],
): Tensor {
  if (new Set(labels).size === labels.length) {
    const order = output.map((label) => labels.indexOf(label));
    return permuted(store, tensor, order);
  }
  const { shape, strides } = permutedTo(output, onDiagonal(tensor, labels));
  return strided(store, tensor, { shape, strides, offset: tensor.offset }, "diagonal");
}

/** Where nothing is summed, it is a product of elements, which promotes. */
function typeOfProduct(
  ctx: CallContext,
  operands: Equation["operands"],
  output: Equation["output"],
  isOfElements: boolean,
): TorchType {
  const [first, second] = operands as [Equation["operands"][number], Equation["operands"][number]?];
  if (isOfElements && second && operands.length === 2)
    return ctx.promote(first.tensor, second.tensor);
  if (second && operands.length === 2 && isOfNothing(first.tensor, second.tensor))
    return typeOf(isTurnedRound(first, second, output) ? first.tensor : second.tensor);
  for (const { tensor } of operands) needSameScalarType(first.tensor, tensor);
  return typeOf(first.tensor);
}

/** PyTorch multiplies from the side that has the output's last axis. */
function isTurnedRound(
  first: Equation["operands"][number],
  second: Equation["operands"][number],
  output: Equation["output"],
): boolean {
  const last = output.at(-1);
  return last !== undefined && first.labels.includes(last) && !second.labels.includes(last);
}

/** Whether the last pair is contracted along an axis: a product of matrices, shown as the output. */
function endsInMatrices(
  operands: readonly { readonly tensor: Tensor; readonly labels: readonly string[] }[],
  output: readonly string[],
): boolean {
  const last = operands.at(-1);
  const isWide = ({ tensor, labels }: (typeof operands)[number], label: string) =>
    labels.some((it, axis) => it === label && tensor.shape[axis] !== 1);
  return operands
    .slice(0, -1)
    .some((operand) =>
      operand.labels.some(
        (label) => !output.includes(label) && isWide(operand, label) && last && isWide(last, label),
      ),
    );
}

/** By parts: of one operand the sum of each, of two the product of sums, of more one pair after another. */
function contractComplex(
  emit: CallContext["emit"],
  values: readonly Value[],
  labels: readonly (readonly string[])[],
  output: Equation["output"],
  type: TorchType,
): Value {
  const [x, y, ...rest] = values as [Value, Value?, ...Value[]];
  const [ofX, ofY, ...others] = labels as [readonly string[], readonly string[], ...string[][]];
  if (y !== undefined && rest.length > 0) {
    const wanted = new Set([...others.flat(), ...output]);
    const kept = [...new Set([...ofX, ...ofY])].filter((label) => wanted.has(label));
    const both = contractComplex(emit, [x, y], [ofX, ofY], kept, type);
    return contractComplex(emit, [both, ...rest], [kept, ...others], output, type);
  }
  if (y !== undefined)
    return complexProduct(emit, x, y, (p, q) => contract(emit, [p, q], labels, output, type));
  const [re, im] = parts(emit, x).map((part) => contract(emit, [part], labels, output, type));
  return pair(emit, re as Value, im as Value);
}
