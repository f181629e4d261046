/** Norms written by hand that take a mean away in one of their two places, or run along another axis. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { type HandNorm, handNorms, hasGains } from "./handNorms.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Only norms with gains of their own: dividing by a spread alone scales, and may be meant. */
export const normMean = (evidence: Evidence): Finding[] =>
  oncePerLine(
    handNorms(evidence)
      .filter((norm) => norm.factor === -1 && hasGains(evidence, norm))
      .flatMap((norm) => [...ofMeans(evidence, norm), ...ofAxis(evidence, norm)]),
  );

function ofMeans(evidence: Evidence, norm: HandNorm): Finding[] {
  const own = isCentred(evidence, norm.numerator, norm.base);
  const [squares] = norm.reduction.inputs;
  const rooted = squares && squareOf(evidence, norm.reduction, squares);
  if (!rooted) return [];
  const other = isCentred(evidence, rooted, norm.base) || subtractsMeans(evidence, norm.spread);
  if (own === other) return [];
  return [
    {
      code: "norm/mean",
      severity: "warning",
      message: other
        ? "The input is divided by its spread about the mean, and the mean is not taken away: this is neither LayerNorm nor RMSNorm, and rows with a large mean come out large"
        : "The mean is taken away from the input and not from what is squared: rows with a large mean come out small",
      ...callPlace(norm.call),
      evidence: { "mean is taken from": other ? "the squares" : "the input" },
    },
  ];
}

/** What is squared in front of a reduction, or by it. */
function squareOf(
  { structure: { producers } }: Evidence,
  { op }: Node,
  value: Value,
): Value | null {
  if (op === "ReduceL2" || op === "ReduceSumSquare") return value;
  const node = producers.makerOf(value);
  return node?.op === "Pow" || node?.op === "Mul" ? (node.inputs[0] ?? null) : null;
}

/** Whether x − mean(x) stands between x and the value. */
function isCentred(
  { structure: { found, producers } }: Evidence,
  value: Value,
  base: number,
): boolean {
  let at: Value | undefined = value;
  for (let steps = 0; at && steps < 12 && found.idOf(at) !== base; steps++) {
    const node = producers.makerOf(at);
    if (!node) return false;
    const next = node.inputs.find((one) => one && found.baseOf(found.idOf(one)) === base);
    const other = node.inputs.find((one) => one !== next);
    if (node.op === "Sub" && other && found.statisticOf(found.idOf(other)) === base) return true;
    at = next ?? undefined;
  }
  return false;
}

/** mean(x²) − mean(x)² */
function subtractsMeans({ structure: { found, producers } }: Evidence, spread: Value): boolean {
  let at: Value | undefined = spread;
  for (let steps = 0; at && steps < 12; steps++) {
    const node = producers.makerOf(at);
    const given = (node?.inputs ?? []).filter(
      (one) => one !== null && found.statisticOf(found.idOf(one)) !== null,
    );
    if (node?.op === "Sub" && given.length === 2) return true;
    at = given[0] ?? undefined;
  }
  return false;
}

/** In a block, over positions or samples alone, though gains are one for each feature. */
function ofAxis({ structure }: Evidence, { node, call, reduction, output }: HandNorm): Finding[] {
  const block = structure.blocks.find(({ nodes }) => nodes.includes(node));
  const shape = reduction.inputs[0]?.shape ?? [];
  const [axis, ...more] = axesOf(reduction);
  const isStream = block?.input.shape.join() === output.shape.join() && shape.length === 3;
  if (!isStream || axis === undefined || more.length > 0 || axis === 2) return [];
  return [
    {
      code: "norm/axis",
      severity: "warning",
      message: `This norm of ${block.path} runs along axis ${axis} of [${shape.join(", ")}] (${shape[axis]} numbers), and its gains along axis 2: numbers of different ${axis === 0 ? "entries of axis 0" : "places"} are put on one scale, so that each depends on the others`,
      ...callPlace(call),
      evidence: { axis, size: shape[axis] ?? 0, "width of the gains": shape[2] ?? 0 },
    },
  ];
}

function axesOf({ inputs, attrs }: Node): number[] {
  const rank = inputs[0]?.shape.length ?? 0;
  const given = inputs[1]?.data ?? attrs["axes"];
  return Array.from((given ?? []) as ArrayLike<number>, (axis) =>
    Number(axis) < 0 ? Number(axis) + rank : Number(axis),
  );
}
