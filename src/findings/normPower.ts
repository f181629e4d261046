/** Norms written by hand whose result grows or shrinks with their input: the root is missing, or on the wrong side. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { powerOf } from "../stats/powers.ts";
import { callPlace, type Evidence, figure, measuredAs } from "./evidence.ts";
import { type HandNorm, handNorms } from "./handNorms.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const normPower = (evidence: Evidence): Finding[] =>
  oncePerLine([
    ...handNorms(evidence).flatMap((norm) => ofFactor(evidence, norm)),
    ...evidence.structure.nodes.flatMap((node) => unreduced(evidence, node)),
  ]);

/** By the power of what the input is multiplied with; a norm multiplies with power −1. */
const meanings: ReadonlyMap<number, string> = new Map([
  [-2, "The input is divided by its mean square, and not by the root of it"],
  [1, "The input is multiplied with the root of its mean square, and not divided by it"],
  [2, "The input is multiplied with its mean square, and not divided by the root of it"],
]);

function ofFactor(evidence: Evidence, { call, output, factor, reduction }: HandNorm): Finding[] {
  const what = meanings.get(factor);
  if (what === undefined) return [];
  const power = 1 + factor;
  const rms = measuredAs(evidence, output)?.activation.rms ?? null;
  const line = reduction.origin.call?.site.line ?? call.site.line;
  return [
    {
      code: "norm/power",
      severity: "warning",
      message: `${what} (the mean is taken on line ${line}): an input twice as large gives a result ${figure(2 ** power)} times as large, and a norm's does not change${rms === null ? "" : `; its RMS is ${figure(rms)} here`}`,
      ...callPlace(call),
      evidence: { power, "mean on line": line, ...(rms !== null && { rms: fromNum(rms) }) },
    },
  ];
}

/** Beside the square of which eps still makes no difference: x / √(x² + 1) is an activation. */
const largestEps = 1e-4;

/** x / √(x²), number by number. */
function unreduced(evidence: Evidence, node: Node): Finding[] {
  const { found, producers } = evidence.structure;
  const { call } = node.origin;
  const [a, b] = node.inputs;
  const [output] = node.outputs;
  if (!call || !output || !a || !b || (node.op !== "Mul" && node.op !== "Div")) return [];
  const isRoot = (root: Value, numerator: Value): boolean => {
    const square = squareUnder(evidence, root);
    if (square === null || found.isWeight(numerator)) return false;
    const base = found.baseOf(found.idOf(square));
    const power = powerOf(root, base, found, producers);
    const wanted = node.op === "Div" ? 1 : -1;
    return found.baseOf(found.idOf(numerator)) === base && power?.power === wanted;
  };
  if (!isRoot(b, a) && !(node.op === "Mul" && isRoot(a, b))) return [];
  const rms = measuredAs(evidence, output)?.activation.rms ?? null;
  return [
    {
      code: "norm/power",
      severity: "warning",
      message: `Each number is divided by the root of its own square: no mean is taken over the features, so that only signs are left${rms === null ? "" : ` (RMS ${figure(rms)})`}`,
      ...callPlace(call),
      evidence: { power: 0, ...(rms !== null && { rms: fromNum(rms) }) },
    },
  ];
}

/** x of √(x² + eps), or of what is one over it; null: it is none. */
function squareUnder({ structure: { producers } }: Evidence, value: Value): Value | null {
  let hasRoot = false;
  let at = value;
  for (let steps = 0; steps < 6; steps++) {
    const node = producers.makerOf(at);
    const [a, b] = node?.inputs ?? [];
    const number = b?.data?.length === 1 ? Number(b.data[0]) : null;
    if (!node || !a) return null;
    if (hasRoot && ((node.op === "Mul" && a === b) || (node.op === "Pow" && number === 2)))
      return a;
    if (node.op === "Sqrt" || (node.op === "Pow" && Math.abs(number ?? 0) === 0.5)) hasRoot = true;
    else if (node.op === "Add" && number !== null && Math.abs(number) <= largestEps)
      hasRoot ||= false;
    else if (node.op !== "Reciprocal" && node.op !== "Cast") return null;
    at = a;
  }
  return null;
}
