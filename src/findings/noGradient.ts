/** Parameters that the step uses and that no gradient reaches, though they ask for one. */

import type { TorchCall, Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { neededFor } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

export function noGradient(evidence: Evidence): Finding[] {
  const { program, report, structure } = evidence;
  if (!program.backward) return [];
  const used = program.parameters.flatMap(({ requiresGrad, value, name }, at) =>
    requiresGrad && value !== null
      ? [{ name, value, hasNone: report.parameters[at]?.gradient === null }]
      : [],
  );
  const inLoss = neededFor(structure.nodes, program.loss);
  if (used.length > 0 && !used.some(({ value }) => inLoss.has(value.id)))
    return [lossOfNothing(evidence, used.length)];
  const elsewhere = leftOut(evidence, inLoss);
  const cut = used.filter(({ value, hasNone }) => hasNone && !elsewhere.has(value.id));
  const isInLoss = ({ value }: Used) => inLoss.has(value.id);
  return [
    ...cutOff(evidence, cut.filter(isInLoss)),
    ...unread(
      evidence,
      cut.filter((one) => !isInLoss(one)),
    ),
  ];
}

interface Used {
  readonly name: string;
  readonly value: Value;
}

function lossOfNothing({ program, structure }: Evidence, count: number): Finding {
  const call =
    structure.producers.makerOf(program.loss)?.origin.call ?? program.values.at(-1)?.call;
  return {
    code: "parameters/no-gradient",
    severity: "error",
    message: `The loss depends on none of the ${counted(count, "parameter")} that this step uses: it is made anew of numbers (torch.tensor, .item(), numpy), and backward has no way to any of them`,
    ...(call ? callPlace(call) : { file: null, line: null, module: null }),
    evidence: { parameters: count },
  };
}

/** Their numbers are in the loss, and gradients are not. */
function cutOff(evidence: Evidence, cut: readonly Used[]): Finding[] {
  const [first] = cut;
  if (!first) return [];
  return [
    {
      code: "parameters/no-gradient",
      severity: "warning",
      message: `${counted(cut.length, "parameter")} ${cut.length === 1 ? "is" : "are"} used, but no gradient reaches ${cut.length === 1 ? "it" : "them"}: ${listed(cut)}. detach, no_grad, .data, argmax or rounding cuts the way from the loss`,
      ...parameterPlace(evidence, first.name),
      module: null,
      evidence: evidenceOf(cut),
    },
  ];
}

/** What is made of them is dropped, or leaves the tensors. */
function unread(evidence: Evidence, cut: readonly Used[]): Finding[] {
  const [first] = cut;
  if (!first) return [];
  const last = lastCallOf(evidence, first.value);
  const where = last ? `: it ends with the result of ${last.op}` : "";
  return [
    {
      code: "parameters/no-gradient",
      severity: "warning",
      message: `${counted(cut.length, "parameter")} ${cut.length === 1 ? "is" : "are"} used, and what is made of ${cut.length === 1 ? "it" : "them"} reaches the loss by no way: ${listed(cut)}. A result is not read, or its numbers are taken out of the tensor${where}`,
      ...(last ? callPlace(last) : { ...parameterPlace(evidence, first.name), module: null }),
      evidence: evidenceOf(cut),
    },
  ];
}

function lastCallOf({ structure }: Evidence, value: Value): TorchCall | null {
  const after = dependents(structure.nodes, value);
  return after.findLast(({ origin }) => origin.call !== null)?.origin.call ?? null;
}

const listed = (cut: readonly Used[]): string =>
  `${cut
    .slice(0, 4)
    .map(({ name }) => name)
    .join(", ")}${cut.length > 4 ? ", …" : ""}`;

const evidenceOf = (cut: readonly Used[]) => ({
  parameters: cut.length,
  names: cut
    .slice(0, 12)
    .map(({ name }) => name)
    .join(", "),
});

/** What results of the model are made of that the loss is not: an auxiliary loss leaves the model's own out. */
function leftOut(
  { program, structure: { nodes } }: Evidence,
  inLoss: ReadonlySet<number>,
): ReadonlySet<number> {
  const root = program.modules.find(({ path }) => path === "");
  const others = (root?.calls.at(-1)?.outputs ?? [])
    .map(({ value }) => value)
    .filter(({ id, dtype, requiresGrad }) => isFloat(dtype) && requiresGrad && !inLoss.has(id));
  return new Set(others.flatMap((value) => [...neededFor(nodes, value)]));
}
