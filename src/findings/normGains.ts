/** Gains of norms that an initialisation of weights has reached. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import type { Normalised } from "../stats/normalised.ts";
import type { Structure } from "../stats/structure.ts";
import { counted, type Evidence, figure } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

/** Gains that start at random numbers on both sides of 0, or at 0, where ones are usual. */
export function normGains(evidence: Evidence): Finding[] {
  const { report, structure } = evidence;
  if (report.source.weights) return [];
  const gained = structure.nodes.flatMap((node) => gainOf(node, structure.found));
  return [...drawnGains(evidence, gained), ...zeroGains(evidence, gained)];
}

interface Gained {
  readonly name: string;
  readonly output: Value;
}

function gainOf({ op, inputs: [a, b], outputs: [output] }: Node, found: Normalised): Gained[] {
  const isNorm = op === "LayerNormalization" || op === "RMSNormalization";
  const isProduct = op === "Mul" && a && b;
  const isOf = (value: Value | null | undefined) =>
    !!value && found.normOf(found.idOf(value)) !== null;
  const gain = isNorm ? b : isProduct && isOf(a) ? b : isProduct && isOf(b) ? a : null;
  if (!output || gain?.role !== "parameter" || gain.name === null) return [];
  return [{ name: gain.name, output }];
}

function drawnGains(evidence: Evidence, gained: readonly Gained[]): Finding[] {
  const { report } = evidence;
  const gains = new Set(gained.map(({ name }) => name));
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

/** A norm that ends a branch is 0 on purpose: the branch starts at nothing. Elsewhere it hides its input. */
function zeroGains(evidence: Evidence, gained: readonly Gained[]): Finding[] {
  const { report, structure, program } = evidence;
  const zero = new Set(
    report.parameters
      .filter(({ value }, at) => fromNum(value.max) === 0 && !program.parameters[at]?.isUnwritten)
      .filter(({ value }) => fromNum(value.min) === 0)
      .map(({ name }) => name),
  );
  const hiding = gained.filter(
    ({ name, output }) => zero.has(name) && !endsBranch(output, structure),
  );
  const names = [...new Set(hiding.map(({ name }) => name))];
  const [first] = names;
  if (first === undefined) return [];
  return [
    {
      code: "init/norm-gain",
      severity: "warning",
      message: `${names.length === 1 ? "The gain of a norm starts" : `${names.length} gains of norms start`} at 0 (${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}), so that nothing of what they normalise comes through: what reads them gets the same for every row, and weights behind get no gradient of their inputs`,
      ...parameterPlace(evidence, first),
      module: null,
      evidence: { gains: names.length, example: first, mean: 0, std: 0 },
    },
  ];
}

const onTheWay = new Set([
  "Reshape",
  "Transpose",
  "Identity",
  "Cast",
  "Mul",
  "Squeeze",
  "Unsqueeze",
]);

/** Whether all that reads a value adds it to something, past biases, scales and dropout. */
function endsBranch(value: Value, structure: Structure): boolean {
  const { producers, found } = structure;
  const readers = producers.readersOf(value);
  return (
    readers.length > 0 &&
    readers.every(({ op, inputs, outputs: [out] }) => {
      const others = inputs.filter((input) => input && input !== value);
      const isWeighed = others.every((other) => other && (found.isWeight(other) || other.data));
      if (op === "Add") return !isWeighed || (!!out && endsBranch(out, structure));
      return onTheWay.has(op) && !!out && endsBranch(out, structure);
    })
  );
}
