/** Label smoothing that leaves the right class less than all others together. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { crossEntropyIn } from "../stats/targets.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";

/** (1 − ε) · likelihood + ε / V · all classes: the call's own factors tell ε. */
export function smoothing({ structure, limits }: Evidence): Finding[] {
  const entropy = crossEntropyIn(structure);
  const call = entropy?.node.origin.call;
  if (!entropy || !call || call.op !== "cross_entropy") return [];
  const share = shareOf(structure.nodes, call, entropy.classes);
  if (share === null || share < limits.smoothing) return [];
  const right = 1 - share + share / entropy.classes;
  return [
    {
      code: "loss/smoothing",
      severity: "warning",
      message: `Label smoothing of ${figure(share)} asks for a probability of ${figure(right)} of the right class, and spreads the rest over all ${entropy.classes}: label_smoothing is the share that is taken away, usually 0.1`,
      ...callPlace(call),
      evidence: { smoothing: share, "asked of the right class": right, classes: entropy.classes },
    },
  ];
}

/** ε of `(1 − ε) · a + ε / V · b`; null: the call mixes nothing in. */
function shareOf(nodes: readonly Node[], call: TorchCall, classes: number): number | null {
  const own = nodes.filter(({ origin }) => origin.call?.id === call.id);
  const factorOf = (value: Value | null): number | null => {
    const made = own.find(({ op, outputs }) => op === "Mul" && outputs[0]?.id === value?.id);
    const factor = made?.inputs[1];
    return factor?.data?.length === 1 ? Number(factor.data[0]) : null;
  };
  for (const { op, inputs } of own) {
    const [right, all] = inputs.map(factorOf);
    if (op !== "Add" || right == null || all == null) continue;
    if (Math.abs(right + all * classes - 1) < 1e-4) return all * classes;
  }
  return null;
}
