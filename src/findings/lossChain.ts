/** From a model's loss back through signs, factors and means to what compares the model's result. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { numbersFrom } from "../stats/hostNumbers.ts";
import { type CrossEntropy, crossEntropyIn } from "../stats/targets.ts";
import type { Evidence } from "./evidence.ts";

export interface LossChain {
  /** What compares: cross_entropy, nll_loss, or the call that picks classes of a log_softmax. */
  readonly call: TorchCall;
  readonly entropy: CrossEntropy;
  /** Whether the call gives logarithms of probabilities as they are, and no loss. */
  readonly isLikelihood: boolean;
  /** Whether all between it and the loss leaves the sign as it is. */
  readonly isPositive: boolean;
  /** Numbers that it is divided by behind its mean, with the calls that do. */
  readonly divisors: readonly { readonly number: number; readonly call: TorchCall }[];
  /** What changed the sign last; null: nothing. */
  readonly turn: TorchCall | null;
}

const same: ReadonlySet<string> = new Set([
  ...["Reshape", "Squeeze", "Unsqueeze", "Identity", "Cast", "Transpose", "Slice"],
  ...["ReduceMean", "ReduceSum"],
]);

/** null: the loss has other terms, or is made otherwise. */
export function lossChain({ structure, program }: Evidence): LossChain | null {
  const { nodes, producers } = structure;
  const entropy = crossEntropyIn(structure);
  if (!entropy) return null;
  const { call } = entropy;
  const isWhole =
    entropy.node.origin.call?.id === call.id || ["nll_loss", "kl_div"].includes(call.op);
  const divisors: { number: number; call: TorchCall }[] = [];
  let isPositive = true;
  let turn: TorchCall | null = null;
  let value: Value = program.loss;
  for (let steps = 0; steps < 24; steps++) {
    const node: Node | undefined = producers.makers.get(value.id);
    const made = node?.origin.call;
    if (!node || !made) return null;
    const isPick = made.id === call.id;
    if (isPick && (isWhole || node.op === "GatherElements" || node.op === "Mul"))
      return { call, entropy, isLikelihood: !isWhole, isPositive, divisors, turn };
    const [first, second] = node.inputs;
    if (!first) return null;
    if (node.op === "Neg") {
      isPositive = !isPositive;
      turn = made;
      value = first;
    } else if (node.op === "Mul" || node.op === "Div") {
      const next = second && first.requiresGrad ? first : node.op === "Mul" ? second : null;
      const other = next === first ? second : first;
      const numbers = other && !other.requiresGrad && numbersFrom(other, nodes, producers.makers);
      if (!next || !numbers) return null;
      const sign = signOf(numbers);
      if (sign === null) return null;
      if (sign < 0) {
        isPositive = !isPositive;
        turn = made;
      }
      const number = Math.abs(Number(numbers[0]));
      if (numbers.length === 1 && numel(value.shape) === 1)
        divisors.push({ number: node.op === "Div" ? number : 1 / number, call: made });
      value = next;
    } else if (same.has(node.op)) value = first;
    else return null;
  }
  return null;
}

/** null: numbers of both signs, or none but 0. */
function signOf(numbers: ArrayLike<number>): 1 | -1 | null {
  const all = Array.from(numbers, Number);
  const [isAbove, isBelow] = [all.some((one) => one > 0), all.some((one) => one < 0)];
  if (isAbove === isBelow) return null;
  return isAbove ? 1 : -1;
}
