/** Dropout that is active though the model is in evaluation mode. */
import type { Node } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export function randomInEval({ program, structure }: Evidence): Finding[] {
  if (program.mode !== "eval") return [];
  const calls = new Set<number>();
  return oncePerLine(
    structure.nodes.flatMap((node): Finding[] => {
      const { call } = node.origin;
      if (!call || calls.has(call.id) || !isDropout(node)) return [];
      calls.add(call.id);
      const remedy = call.op.includes("attention")
        ? "dropout_p holds in evaluation too: pass self.dropout if self.training else 0.0"
        : "F.dropout needs training=self.training; nn.Dropout knows it";
      return [
        {
          code: "model/dropout-in-eval",
          severity: "warning",
          message: `Dropout is active in evaluation mode: each call gives another result. ${remedy}`,
          ...callPlace(call),
          evidence: { op: call.op },
        },
      ];
    }),
  );
}

/** A product with a mask of 0 and one number above 1. */
function isDropout({ op, inputs, origin: { call } }: Node): boolean {
  const name = call?.op ?? "";
  if (op !== "Mul" || !(name.includes("dropout") || name.includes("attention"))) return false;
  return inputs.some((value) => {
    const data = value?.role === "constant" ? value.data : null;
    const kept = data?.find((x) => Number(x) !== 0);
    if (!data || data.length < 2 || kept === undefined || Number(kept) <= 1) return false;
    return data.some((x) => Number(x) === 0) && data.every((x) => x === kept || Number(x) === 0);
  });
}
