/** A mean of losses that a mask set to 0, over those too. */
import type { Node, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { numbersFrom } from "../stats/hostNumbers.ts";
import { crossEntropyIn } from "../stats/targets.ts";
import { callPlace, counted, type Evidence, figure } from "./evidence.ts";

export function maskedMean({ structure }: Evidence): Finding[] {
  const { nodes, producers } = structure;
  const entropy = crossEntropyIn(structure);
  if (!entropy) return [];
  const rows = numel(entropy.logits.shape) / entropy.classes;
  const { makers } = producers;
  const index = producers.indexOf(entropy.node);
  return nodes.slice(index).flatMap((node): Finding[] => {
    const [losses] = node.inputs;
    const { call } = node.origin;
    if (node.op !== "ReduceMean" || !losses || !call || numel(losses.shape) !== rows) return [];
    if (numel(node.outputs[0]?.shape ?? [0]) !== 1) return [];
    const masked = maskOf(producers.makerOf(losses));
    if (!masked) return [];
    const numbers = numbersFrom(masked, nodes, makers);
    if (!numbers || numbers.length !== rows) return [];
    const isMask = numbers.every((one) => Number(one) === 0 || Number(one) === 1);
    const kept = numbers.filter((one) => Number(one) === 1).length;
    if (!isMask || kept === rows || kept === 0) return [];
    return [
      {
        code: "loss/masked-mean",
        severity: "warning",
        message: `The mean is over all ${counted(rows, "place")}, and a mask sets the loss to 0 at ${rows - kept} of them: it comes out ${figure(kept / rows)} times as large, and longer samples weigh more in batches with less padding`,
        ...callPlace(call),
        evidence: { places: rows, kept },
      },
    ];
  });

  /** What losses are multiplied by. */
  function maskOf(node: Node | null): Value | null {
    if (node?.op !== "Mul" || node.origin.call?.op.startsWith("cross_entropy")) return null;
    return node.inputs.find((one) => one !== null && !one.requiresGrad) ?? null;
  }
}
