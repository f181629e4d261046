/** Every normalisation of a traced model, operators and written-out arithmetic alike. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { type Normalised, normCalls } from "./normalised.ts";
import type { Producers } from "./producers.ts";

export interface FoundNorm {
  /** LayerNorm takes the mean away, RMSNorm and L2Norm (the sum instead of the mean) do not. */
  readonly kind: "LayerNorm" | "RMSNorm" | "L2Norm";
  readonly input: Value;
  readonly output: Value;
  /** What the rows are divided by, before eps is added outside of it; null: an operator's own. */
  readonly root: Value | null;
  readonly eps: number;
  /** `clamp`: the root is not let below eps. */
  readonly epsPlace: "inside" | "outside" | "clamp" | "none";
  /** How many trailing axes are normalised over; null: others. */
  readonly axes: number | null;
  readonly call: TorchCall;
}

/** `nodes` in execution order. BatchNorm and GroupNorm are no norms of a row and are left out. */
export function findNorms(
  nodes: readonly Node[],
  found: Normalised,
  producers: Producers,
): FoundNorm[] {
  const norms: FoundNorm[] = [];
  for (const node of nodes) {
    const [output] = node.outputs;
    const [input] = node.inputs;
    const { call } = node.origin;
    if (!output || !input || call === null || normCalls.has(call.op)) continue;
    const kind = operators[node.op];
    if (kind !== undefined) norms.push({ ...ofOperator(node, input), kind, input, output, call });
    else if (node.op === "Mul" || node.op === "Div") {
      const written = writtenOut(node, found, producers);
      if (written) norms.push({ ...written, output, call });
    }
  }
  return norms;
}

const operators: Readonly<Record<string, FoundNorm["kind"]>> = {
  LayerNormalization: "LayerNorm",
  RMSNormalization: "RMSNorm",
};

function ofOperator({ attrs }: Node, { shape }: Value) {
  const axis = Number(attrs["axis"] ?? -1);
  const eps = Number(attrs["epsilon"] ?? 1e-5);
  const axes = axis < 0 ? -axis : shape.length - axis;
  return { root: null, eps, epsPlace: eps === 0 ? "none" : "inside", axes } as const;
}

/** x / √(mean(x²) + eps) and what else comes to it. */
function writtenOut(node: Node, found: Normalised, producers: Producers) {
  const [a, b] = node.inputs;
  if (!a || !b) return null;
  const [ofA, ofB] = [found.statisticOf(found.idOf(a)), found.statisticOf(found.idOf(b))];
  const isB = ofB !== null && ofB === found.baseOf(found.idOf(a));
  const isA = ofA !== null && ofA === found.baseOf(found.idOf(b)) && node.op === "Mul";
  if (!isA && !isB) return null;
  const [numerator, spread] = isB ? [a, b] : [b, a];
  const read = readSpread(spread, found, producers);
  if (read === null) return null;
  const { input, isCentred } = followNumerator(numerator, found, producers);
  const { reduction } = read;
  const sums = reduction.op !== "ReduceMean" && !read.isDivided;
  const kind = isCentred ? "LayerNorm" : sums ? "L2Norm" : "RMSNorm";
  return {
    kind: kind as FoundNorm["kind"],
    input,
    root: read.root,
    eps: read.eps,
    epsPlace: read.epsPlace,
    axes: trailingAxes(reduction),
  };
}

/** From the divisor back to the reduction of squares: a root must lie on the way. */
function readSpread(spread: Value, found: Normalised, { makerOf }: Producers) {
  let root: Value | null = null;
  let eps = 0;
  let epsPlace: FoundNorm["epsPlace"] = "none";
  let isDivided = false;
  let value: Value | null = spread;
  for (let steps = 0; value !== null && steps < 24; steps++) {
    const node: Node | null = makerOf(value);
    if (node === null) return null;
    const given = node.inputs.filter((input) => input !== null);
    const weight = given.find((input) => input.data?.length === 1);
    if (reductions.has(node.op)) {
      if (node.op === "ReduceL2") root ??= node.outputs[0] ?? null;
      return root === null ? null : { root, eps, epsPlace, isDivided, reduction: node };
    }
    const number = Number(weight?.data?.[0] ?? Number.NaN);
    if (node.op === "Sqrt" || (node.op === "Pow" && Math.abs(number) === 0.5))
      root = node.outputs[0] ?? null;
    else if (node.op === "Add" && number > 0) {
      eps = rounded(number);
      epsPlace = root === null ? "outside" : "inside";
    } else if ((node.op === "Max" || node.op === "Clip") && root === null) {
      eps = rounded(number);
      epsPlace = "clamp";
    } else if (root !== null && (node.op === "Mul" || node.op === "Div")) isDivided = true;
    value =
      given.find((input) => input !== weight && found.statisticOf(found.idOf(input)) !== null) ??
      null;
  }
  return null;
}

/** 1e-6 as it was written, and not the float32 next to it. */
const rounded = (number: number): number => Number(number.toPrecision(7));

const reductions = new Set(["ReduceMean", "ReduceSum", "ReduceSumSquare", "ReduceL2"]);

/** To what is normalised, past gains, conversions and the mean that is taken away. */
function followNumerator(numerator: Value, found: Normalised, { makerOf }: Producers) {
  const base = found.baseOf(found.idOf(numerator));
  let value = numerator;
  let isCentred = false;
  for (let steps = 0; steps < 24 && found.idOf(value) !== base; steps++) {
    const node = makerOf(value);
    if (node === null) break;
    const next: Value | null | undefined = node.inputs.find(
      (input) => input !== null && found.baseOf(found.idOf(input)) === base,
    );
    const other = node.inputs.find((input) => input !== null && input !== next);
    if (node.op === "Sub" && other && found.statisticOf(found.idOf(other)) === base)
      isCentred = true;
    if (!next) break;
    value = next;
  }
  return { input: value, isCentred };
}

function trailingAxes({ inputs, attrs }: Node): number | null {
  const rank = inputs[0]?.shape.length ?? 0;
  const data = inputs[1]?.data ?? attrs["axes"];
  if (data === undefined || data === null) return rank;
  const axes = Array.from(data as ArrayLike<number>, (axis) => (axis < 0 ? axis + rank : axis));
  const isTrailing = axes.every((axis) => axis >= rank - axes.length);
  return isTrailing ? axes.length : null;
}
