/** Weights that start alike in all places, so that their units stay alike. */
import type { Value } from "../graph/graph.ts";
import type { Finding, ParameterReport } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { counted, type Evidence, figure } from "./evidence.ts";
import { normGains } from "./normGains.ts";
import { parameterPlace } from "./parameterPlace.ts";

const products = new Set(["MatMul", "Gemm", "Conv", "Gather"]);
const fewestZero = 3;

/** Single matrices of zeros are meant (closing projections); most of a model is not. */
export function constantInit(evidence: Evidence): Finding[] {
  const { program, report, structure } = evidence;
  const read = new Set(
    structure.nodes
      .filter(({ op }) => products.has(op))
      .flatMap(({ inputs }) => inputs.map((one) => one && structure.sourceOf(one).value.id)),
  );
  const matrices = report.parameters.filter(({ shape }, at) => {
    const parameter = program.parameters[at];
    const isWide = shape.filter((size) => size > 1).length >= 2;
    const { value, requiresGrad, isUnwritten } = parameter ?? {};
    return requiresGrad && !isUnwritten && value && isWide && read.has(value.id);
  });
  const alike = matrices.filter(({ value }) => value.min === value.max);
  const zero = alike.filter(({ value }) => fromNum(value.max) === 0);
  const constant = alike.filter(({ value }) => fromNum(value.max) !== 0);
  const isMostlyZero =
    zero.length >= fewestZero && zero.length > matrices.length / 2 && haveChain(evidence, zero);
  return [
    ...zeroScores(evidence),
    ...told(evidence, constant, ({ value }) => `start at ${figure(value.max)} in all places`),
    ...(isMostlyZero ? told(evidence, zero, () => "start at 0") : standstill(evidence, zero)),
  ];
}

/** Matrices of zeros, one behind the other, that no other way with gradients goes round (LoRA's two). */
function standstill(evidence: Evidence, zero: readonly ParameterReport[]): Finding[] {
  const still = zero.filter(({ gradient }) => gradient && fromNum(gradient.absMax) === 0);
  const [first] = still;
  if (!first || !haveChain(evidence, still)) return [];
  const names = still.map(({ name }) => name);
  return [
    {
      code: "init/constant",
      severity: "warning",
      message: `${counted(names.length, "weight")} of products start at 0 and get a gradient of 0: ${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}. One reads what another gives, and neither moves before the other does: start one of both at random`,
      ...parameterPlace(evidence, first.name),
      module: null,
      evidence: { weights: names.length, names: names.slice(0, 12).join(", ") },
    },
  ];
}

/**
 * Whether some of them reads what only others of them made: neither gets a gradient before the other
 * moves. Closing maps that start at 0 read what is not, however many there are.
 */
function haveChain({ program, structure }: Evidence, zero: readonly ParameterReport[]): boolean {
  const { nodes, sourceOf } = structure;
  const names = new Set(zero.map(({ name }) => name));
  const weights = program.parameters.filter(({ name }) => names.has(name));
  const zeros = new Set(weights.flatMap(({ value }) => (value ? [value.id] : [])));
  const isZero = (value: Value | null): boolean =>
    value !== null && zeros.has(sourceOf(value).value.id);
  const made = new Set<number>();
  for (const { op, inputs, outputs } of nodes) {
    const data = inputs.filter((value) => value !== null && value.role !== "parameter");
    const moving = data.filter((value) => value?.role !== "constant" && !isZero(value));
    const readsMade = moving.length > 0 && moving.every((value) => value && made.has(value.id));
    const isProduct = products.has(op) && inputs.some(isZero);
    if (isProduct && readsMade) return true;
    if (isProduct || readsMade) for (const { id } of outputs) made.add(id);
  }
  return false;
}

/** Each of queries and keys gets its gradient through the other: where both are 0, neither ever moves. */
function zeroScores(evidence: Evidence): Finding[] {
  const { attention, found } = evidence.structure;
  const isZero = (value: Value | undefined): boolean =>
    value !== undefined &&
    evidence.bySource.get(found.baseOf(found.idOf(value)))?.report.activation.absMax === 0;
  const dead = attention.filter(({ operands: [query, key] }) => isZero(query) && isZero(key));
  const [first] = dead;
  // Norms that hide their input are told of as what they are, and so is what nothing was written to.
  const isUnwritten = evidence.program.parameters.some((one) => one.isUnwritten);
  if (!first || isUnwritten || normGains(evidence).length > 0) return [];
  const { site, module } = first.call;
  return [
    {
      code: "init/constant",
      severity: "warning",
      message: `Queries and keys are 0 in ${counted(dead.length, "attention")}: all keys get the same weight, and neither map gets a gradient, since each one's comes through the other`,
      file: site.file,
      line: site.line,
      module,
      evidence: { attentions: dead.length },
    },
  ];
}

function told(
  evidence: Evidence,
  parameters: readonly ParameterReport[],
  how: (one: ParameterReport) => string,
): Finding[] {
  const [first] = parameters;
  if (!first) return [];
  const names = parameters.map(({ name }) => name);
  return [
    {
      code: "init/constant",
      severity: "warning",
      message: `${counted(names.length, "weight")} of products ${how(first)}: ${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}. Their units compute the same and get the same gradient, so they stay alike`,
      ...parameterPlace(evidence, first.name),
      module: null,
      evidence: {
        weights: names.length,
        value: first.value.max,
        names: names.slice(0, 12).join(", "),
      },
    },
  ];
}
