/** Parameters that the step uses and that no gradient reaches, though they ask for one. */
import { isFloat } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { neededFor } from "../stats/producers.ts";
import { counted, type Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

export function noGradient(evidence: Evidence): Finding[] {
  const { program, report } = evidence;
  if (!program.backward) return [];
  const elsewhere = leftOut(evidence);
  const cut = program.parameters.filter(
    ({ requiresGrad, value }, at) =>
      requiresGrad &&
      value !== null &&
      report.parameters[at]?.gradient === null &&
      !elsewhere.has(value.id),
  );
  const [first] = cut;
  if (!first) return [];
  const names = cut.map(({ name }) => name);
  return [
    {
      code: "parameters/no-gradient",
      severity: "warning",
      message: `${counted(cut.length, "parameter")} ${cut.length === 1 ? "is" : "are"} used, but no gradient reaches ${cut.length === 1 ? "it" : "them"}: ${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}. detach, no_grad, .data, argmax or rounding cuts the way from the loss`,
      ...parameterPlace(evidence, first.name),
      module: null,
      evidence: { parameters: cut.length, names: names.slice(0, 12).join(", ") },
    },
  ];
}

/** What results of the model are made of that the loss is not: an auxiliary loss leaves the model's own out. */
function leftOut({ program, structure: { nodes } }: Evidence): ReadonlySet<number> {
  const inLoss = neededFor(nodes, program.loss);
  const root = program.modules.find(({ path }) => path === "");
  const others = (root?.calls.at(-1)?.outputs ?? [])
    .map(({ value }) => value)
    .filter(({ id, dtype, requiresGrad }) => isFloat(dtype) && requiresGrad && !inLoss.has(id));
  return new Set(others.flatMap((value) => [...neededFor(nodes, value)]));
}
