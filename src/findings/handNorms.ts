/** Products x · f(mean(x²)) that are written by hand: norms, or what was meant to be one. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { normCalls } from "../stats/normalised.ts";
import { powerOf } from "../stats/powers.ts";
import type { Evidence } from "./evidence.ts";

export interface HandNorm {
  readonly node: Node;
  readonly call: TorchCall;
  readonly output: Value;
  /** The id of x, up to factors and the mean that is taken away. */
  readonly base: number;
  readonly numerator: Value;
  readonly spread: Value;
  /** With which power of the input's scale the input is multiplied; −1 makes a norm. */
  readonly factor: number;
  /** What takes the mean, or the sum, of squares. */
  readonly reduction: Node;
}

export const handNorms = (evidence: Evidence): HandNorm[] =>
  evidence.structure.nodes.flatMap((node) => readNorm(evidence, node) ?? []);

function readNorm(evidence: Evidence, node: Node): HandNorm | null {
  const { found, producers } = evidence.structure;
  const { call } = node.origin;
  const [output] = node.outputs;
  const parts = partsOf(evidence, node);
  if (!call || !output || parts === null || normCalls.has(call.op)) return null;
  const { base, numerator, spread } = parts;
  const own = powerOf(numerator, base, found, producers);
  const other = powerOf(spread, base, found, producers);
  const reduction = other?.squares;
  // One call does both: a norm of torch's own.
  if (own?.power !== 1 || !reduction || reduction.origin.call?.id === call.id) return null;
  const factor = node.op === "Div" ? -other.power : other.power;
  return { node, call, output, factor, reduction, ...parts };
}

function partsOf({ structure: { found } }: Evidence, { op, inputs: [a, b] }: Node) {
  if (!a || !b || (op !== "Mul" && op !== "Div")) return null;
  const isOf = (spread: Value, numerator: Value): boolean =>
    found.statisticOf(found.idOf(spread)) === found.baseOf(found.idOf(numerator));
  if (isOf(b, a)) return { numerator: a, spread: b, base: found.baseOf(found.idOf(a)) };
  if (op === "Mul" && isOf(a, b))
    return { numerator: b, spread: a, base: found.baseOf(found.idOf(b)) };
  return null;
}

/** Whether the norm's result, or its input, is multiplied with a learned number for each feature. */
export function hasGains({ structure: { found, producers } }: Evidence, norm: HandNorm): boolean {
  const width = norm.output.shape.at(-1);
  const isGain = (value: Value | null): boolean =>
    value !== null && found.isWeight(value) && value.requiresGrad && value.shape.at(-1) === width;
  const isGained = ({ op, inputs }: Node): boolean => op === "Mul" && inputs.some(isGain);
  const maker = producers.makerOf(norm.numerator);
  if (maker && isGained(maker)) return true;
  let at: Value = norm.output;
  for (let steps = 0; steps < 4; steps++) {
    const readers = producers.readersOf(at);
    if (readers.some(isGained)) return true;
    // A conversion, or the root of the width, stands between.
    const [next] = readers.filter(
      ({ op, inputs }) =>
        op === "Cast" || (op === "Mul" && inputs.some((one) => one?.data?.length === 1)),
    );
    const [result] = next?.outputs ?? [];
    if (!result) return false;
    at = result;
  }
  return false;
}
