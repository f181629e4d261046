/** Scores of queries and keys that an activation makes weights of, with nothing that makes their sum one. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { callPlace, type Evidence, figure, measuredAs } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";
import { scoreSteps } from "./scoreSteps.ts";

const names: Readonly<Record<string, string>> = { Relu: "ReLU", Sigmoid: "Sigmoid" };

/**
 * Attention by ReLU divides by the number of keys (Wortsman et al. 2023), by a sigmoid has a bias of
 * −ln n (Ramapuram et al. 2024): what does so is meant.
 */
export function noSoftmax(evidence: Evidence): Finding[] {
  const { structure } = evidence;
  return oncePerLine(
    structure.nodes.flatMap((node): Finding[] => {
      const { call } = node.origin;
      const [scores] = node.inputs;
      const [weights] = node.outputs;
      const name = names[node.op];
      if (name === undefined || !scores || !weights || !call || weights.shape.length < 3) return [];
      const keys = weights.shape.at(-1) ?? 1;
      if (keys < 3 || !isScores(scores) || !isMixed(weights, keys)) return [];
      const mean = fromNum(measuredAs(evidence, weights)?.activation.mean ?? "NaN");
      if (!Number.isFinite(mean)) return [];
      return [
        {
          code: "attention/no-softmax",
          severity: "warning",
          message: `${name} makes weights of the scores, and nothing makes them sum to one: a row of ${keys} keys sums to ${figure(mean * keys)} on average, and grows with their number`,
          ...callPlace(call),
          evidence: { "mean sum": mean * keys, keys },
        },
      ];
    }),
  );

  /** A product of two computed values, scaled and masked. */
  function isScores(value: Value): boolean {
    const { producers, found } = structure;
    let at = value;
    for (let steps = 0; steps < 8; steps++) {
      const node = producers.makerOf(at);
      if (!node) return false;
      if (node.op === "MatMul")
        return node.inputs.every((one) => one?.role === "node" && !found.isWeight(one));
      if (!scoreSteps.has(node.op) || isBias(node)) return false;
      const next = node.inputs.find((one) => one?.role === "node" && one.dtype !== "bool");
      if (!next) return false;
      at = next;
    }
    return false;
  }

  /** One number that is added to all scores. */
  function isBias({ op, inputs }: Node): boolean {
    return op === "Add" && inputs.some((one) => one?.shape.every((size) => size === 1));
  }

  /** Straight to a product over the keys; null factors but dropout's would be a normalisation. */
  function isMixed(weights: Value, keys: number): boolean {
    const { producers, found } = structure;
    let at = weights;
    for (let steps = 0; steps < 6; steps++) {
      const readers = producers.readersOf(at);
      const [reader] = readers;
      const out = reader?.outputs[0];
      if (readers.length !== 1 || !reader || !out) return false;
      if (reader.op === "MatMul") {
        const [first, second] = reader.inputs;
        const isOverKeys = first === at && second?.shape.at(-2) === keys;
        return isOverKeys && !!second && second.role === "node" && !found.isWeight(second);
      }
      const isDropout = reader.op === "Mul" && reader.origin.call?.op === "dropout";
      if (!isDropout && !["Cast", "Identity", "Where"].includes(reader.op)) return false;
      at = out;
    }
    return false;
  }
}
