/** Gains of norms that an initialisation of weights has reached. */
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { counted, type Evidence, figure } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

/** Numbers on both sides of 0 where ones are usual. Zeros are meant (branches that start at nothing). */
export function normGains(evidence: Evidence): Finding[] {
  const { report, structure } = evidence;
  if (report.source.weights) return [];
  const { nodes, found } = structure;
  const gains = new Set(
    nodes.flatMap(({ op, inputs: [a, b] }) => {
      if (op === "LayerNormalization" || op === "RMSNormalization") return b?.name ?? [];
      if (op !== "Mul" || !a || !b) return [];
      if (found.normOf(found.idOf(a)) !== null && b.role === "parameter") return b.name ?? [];
      if (found.normOf(found.idOf(b)) !== null && a.role === "parameter") return a.name ?? [];
      return [];
    }),
  );
  const drawn = report.parameters.filter(({ name, value, shape }) => {
    const [mean, std] = [fromNum(value.mean), fromNum(value.std)];
    const isVector = shape.filter((size) => size > 1).length === 1;
    return gains.has(name) && isVector && std > 0 && Math.abs(mean) < std;
  });
  const [first] = drawn;
  if (!first) return [];
  const { mean, std } = first.value;
  return [
    {
      code: "init/norm-gain",
      severity: "warning",
      message: `${counted(drawn.length, "gain")} of norms start at random on both sides of 0 (${first.name}: mean ${figure(mean)}, std ${figure(std)}) and not at 1: an initialisation of weights has reached them, and each norm gives out noise of that size`,
      ...parameterPlace(evidence, first.name),
      module: null,
      evidence: { gains: drawn.length, example: first.name, mean, std },
    },
  ];
}
