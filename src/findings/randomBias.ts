/** Biases that an initialisation of weights has reached with numbers far above what maps give. */
import type { Node, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { type Evidence, figure } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

/** Drawn on both sides of 0, and wide beside 1/√(inputs), PyTorch's own bound. */
export function randomBias(evidence: Evidence): Finding[] {
  const { report, program, structure, limits } = evidence;
  if (report.source.weights) return [];
  const inputsOf = new Map<string, number>();
  for (const node of structure.nodes) {
    const bias = biasOf(node, evidence);
    if (bias) inputsOf.set(bias.name, bias.inputs);
  }
  const wide = report.parameters.flatMap(({ name, value, shape }, at) => {
    const inputs = inputsOf.get(name);
    if (inputs === undefined || shape.length !== 1 || !program.parameters[at]?.requiresGrad)
      return [];
    const [mean, std] = [fromNum(value.mean), fromNum(value.std)];
    const times = std * Math.sqrt(inputs);
    return Math.abs(mean) < std && times > limits.biasTimes ? [{ name, std, inputs, times }] : [];
  });
  const [first] = wide;
  if (!first) return [];
  return [
    {
      code: "init/bias",
      severity: "warning",
      message: `${wide.length === 1 ? "The bias of a linear map starts" : `${wide.length} biases of linear maps start`} at random far above usual (${first.name}: standard deviation ${figure(first.std)} with ${first.inputs} inputs, ${figure(first.times)} / √inputs in place of 0.58): an initialisation of weights has reached them, and each row gets the same noise`,
      ...parameterPlace(evidence, first.name),
      module: null,
      evidence: { biases: wide.length, example: first.name, std: first.std, inputs: first.inputs },
    },
  ];
}

function biasOf({ op, inputs }: Node, { structure }: Evidence) {
  const { producers, found } = structure;
  const [a, b, c] = inputs;
  if (op === "Conv" || op === "Gemm") return c ? biased(c, b, op === "Conv" ? null : a) : null;
  if (op !== "Add" || !a || !b) return null;
  for (const [sum, bias] of [
    [a, b],
    [b, a],
  ] as const) {
    const node = producers.makerOf(sum);
    const [rows, weight] = node?.inputs ?? [];
    if (node?.op === "MatMul" && weight && found.isWeight(weight))
      return biased(bias, weight, rows);
  }
  return null;
}

function biased(bias: Value, weight: Value | null | undefined, rows: Value | null | undefined) {
  const inputs = rows ? (rows.shape.at(-1) ?? 1) : numel(weight?.shape.slice(1) ?? []);
  return bias.role === "parameter" && bias.name !== null ? { name: bias.name, inputs } : null;
}
