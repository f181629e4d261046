/** Whether a residual stream goes on: ways past attention and past activations between two values. */
import type { Node, Value } from "../graph/graph.ts";
import type { Normalised } from "./normalised.ts";

export interface Passing {
  /** Attention's products with the values; empty: attention is no obstacle. */
  readonly mixing: ReadonlySet<Node>;
  /** Whether ways through activations count. */
  readonly throughActivations: boolean;
}

const activations = new Set([
  ...["Relu", "LeakyRelu", "Elu", "Selu", "Celu", "Gelu", "Softplus", "Softsign", "Mish"],
  ...["HardSwish", "HardSigmoid", "Sigmoid", "Tanh", "Erf", "Exp", "Max", "Min", "Clip", "Softmax"],
]);
const reductions = /^Reduce/;

/**
 * Whether numbers of `from` come to `to` by sums, norms, linear maps, scales and reorderings. What is
 * multiplied by something computed and then goes through a linear map is a gated unit, and no such
 * way; what is multiplied alone is a gate on the stream, and one. `nodes` in execution order.
 */
export function comesThrough(
  nodes: readonly Node[],
  from: Value,
  to: Value,
  found: Normalised,
  { mixing, throughActivations }: Passing,
): boolean {
  const plain = new Set([from.id]);
  const gated = new Set<number>();
  for (const node of nodes) {
    const isPlain = node.inputs.some((value) => value && plain.has(value.id));
    const isGated = node.inputs.some((value) => value && gated.has(value.id));
    if ((!isPlain && !isGated) || mixing.has(node)) continue;
    const isCut = activations.has(node.op) || reductions.test(node.op);
    if (isCut && !throughActivations) continue;
    const isProduct = node.op === "MatMul" || node.op === "Gemm";
    if (!isPlain && isProduct && !throughActivations) continue;
    const into = isPlain && !isGate(node, plain, found) ? plain : gated;
    for (const { id } of node.outputs) into.add(id);
  }
  return plain.has(to.id) || gated.has(to.id);
}

/** A product with something computed that is no statistic of the stream's own rows. */
function isGate(
  { op, inputs }: Node,
  reached: ReadonlySet<number>,
  { isWeight, statisticOf, idOf }: Normalised,
): boolean {
  if (op !== "Mul") return false;
  const [a, b] = inputs;
  const other = a && reached.has(a.id) ? b : a;
  return !!other && !isWeight(other) && other.role === "node" && statisticOf(idOf(other)) === null;
}
