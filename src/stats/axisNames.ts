/** What the axes of a traced model's values are: samples, positions, features, heads. */
import type { Node, Value } from "../graph/graph.ts";
import { parseEquation } from "../ops/kernels/einsum.ts";
import type { AxisName } from "../protocol/report.ts";
import type { TracedProgram } from "../trace/program.ts";
import { contractedAxes } from "./axisLabels.ts";
import { type Axes, type Axis, createAxes } from "./joinedAxes.ts";
import { findStructure } from "./structure.ts";

/**
 * Axes that meet elementwise, in a product or through a view are one axis. What each of these is
 * follows from the first input and from attention, whose weights say which are positions and heads.
 * null: an axis that nothing names.
 */
export function axisNamer(program: TracedProgram): (value: Value) => readonly (AxisName | null)[] {
  const axes = createAxes();
  const { classOf } = axes;
  const nodes = program.graph.nodes.filter(({ origin }) => origin.direction === "forward");
  for (const node of nodes) joinAxes(node, axes);
  const names = new Map<number, AxisName>();
  const name = (axis: Axis, given: AxisName) => {
    const own = classOf(axis);
    if (!names.has(own)) names.set(own, given);
  };
  for (const { weights, heads } of findStructure(program).attention) {
    name([weights, -1], "position");
    name([weights, -2], "position");
    if (heads > 1 && weights.shape.length >= 4) name([weights, -3], "head");
  }
  for (const { value, dtype } of program.inputs) {
    const { shape } = value;
    const isText = shape.length === 2 && !dtype.startsWith("float");
    const rest = isText ? tokens : (inputAxes[shape.length] ?? []);
    const isTurned = names.get(classOf([value, 0])) === "position";
    if (shape.length > 0) name([value, isTurned ? 1 : 0], "batch");
    rest.forEach((it, at) => {
      if (it !== null) name([value, at], it);
    });
  }
  return (value) => {
    const own = value.shape.map((_, at) => names.get(classOf([value, at])) ?? null);
    return withFeatures(withPairs(own));
  };
}

const tokens: readonly (AxisName | null)[] = [null, "position"];
/** Of inputs of numbers, by their rank. */
const inputAxes: Readonly<Record<number, readonly (AxisName | null)[]>> = {
  2: [null, "feature"],
  3: [null, "position", "feature"],
  4: [null, "channel", "height", "width"],
};

/** Scores and weights have positions twice. */
function withPairs(names: readonly (AxisName | null)[]): readonly (AxisName | null)[] {
  const places = names.flatMap((name, at) => (name === "position" ? [at] : []));
  if (places.length !== 2) return names;
  const [query, key] = places;
  return names.map((name, at) => (at === query ? "query" : at === key ? "key" : name));
}

/** The last axis of what a model computes is its features, where it is not known to be another. */
function withFeatures(names: readonly (AxisName | null)[]): readonly (AxisName | null)[] {
  const last = names.length - 1;
  const isOpen = names.length > 1 && names[last] === null && !names.includes("feature");
  return isOpen ? names.with(last, "feature") : names;
}

/** Elements that are put elsewhere, or counted: no axis goes on. */
const opaque = new Set(
  "GatherND ScatterND ScatterElements GatherElements OneHot NonZero Shape Size Range".split(" "),
);
const views = new Set(["Reshape", "Squeeze", "Unsqueeze", "Flatten"]);
/** Operands meet element by element; of other operators the later ones are weights and settings. */
const meeting = new Set(
  "Add Sub Mul Div Pow Mod Max Min Sum Mean Where And Or Xor Equal Less Greater Concat".split(" "),
);
/** An axis stays what it is though its size changes. */
const cuts = new Set(["Slice", "Concat", "Split", "Pad"]);

function joinAxes(node: Node, axes: Axes): void {
  const { op, inputs } = node;
  const { join } = axes;
  const [out] = node.outputs;
  const [first, second] = inputs;
  if (!out || !first || opaque.has(op)) return;
  const joinAt = (value: Value, at: number, outAt: number): void => join([value, at], [out, outAt]);
  if (views.has(op)) {
    axes.joinView(first, out);
  } else if (op === "Transpose") {
    const perm = node.attrs["perm"] as readonly number[] | undefined;
    const order = perm ?? first.shape.map((_, at) => first.shape.length - 1 - at);
    for (const [at, from] of order.entries()) joinAt(first, from, at);
  } else if (op === "MatMul" || op === "Gemm") {
    if (second) joinProduct(node, first, second, out, join);
  } else if (op === "Einsum") {
    joinLetters(node, out, join);
  } else if (op === "Gather") {
    const axis = Number(node.attrs["axis"] ?? 0);
    const at = axis < 0 ? axis + first.shape.length : axis;
    const added = second?.shape.length ?? 0;
    for (let i = 0; i < added && second; i++) joinAt(second, i, at + i);
    for (const [i] of first.shape.entries())
      if (i !== at) joinAt(first, i, i < at ? i : i - 1 + added);
  } else if (out.shape.length < first.shape.length && op.startsWith("Reduce")) {
    joinReduced(node, first, joinAt);
  } else {
    const joined = meeting.has(op) ? inputs : [first];
    for (const value of joined) if (value) joinAligned(value, out, cuts.has(op), joinAt);
    if (op === "Split") for (const other of node.outputs) joinAligned(other, out, true, joinAt);
  }
}

function joinProduct(node: Node, a: Value, b: Value, out: Value, join: Axes["join"]): void {
  if (a.shape.length < 2 || b.shape.length < 2) return;
  const [left, right] = [contractedAxes(node, 0), contractedAxes(node, 1)];
  join([a, left.own], [b, right.own]);
  join([a, left.free], [out, -2]);
  join([b, right.free], [out, -1]);
  for (let at = -3; at >= -out.shape.length; at--)
    for (const value of [a, b])
      if (value.shape.at(at) === out.shape.at(at)) join([value, at], [out, at]);
}

function joinLetters(node: Node, out: Value, join: Axes["join"]): void {
  const operands = node.inputs.filter((value) => value !== null);
  const equation = parseEquation(String(node.attrs["equation"]), operands);
  const firstOf = new Map<unknown, Axis>();
  const terms = [...equation.inputs, equation.output];
  for (const [which, value] of [...operands, out].entries())
    for (const [at, letter] of (terms[which] ?? []).entries()) {
      const known = firstOf.get(letter);
      if (known) join([value, at], known);
      else firstOf.set(letter, [value, at]);
    }
}

function joinReduced(
  node: Node,
  first: Value,
  joinAt: (value: Value, at: number, outAt: number) => void,
): void {
  const rank = first.shape.length;
  const given = node.inputs[1]?.data ?? (node.attrs["axes"] as readonly number[] | undefined);
  if (!given) return;
  const gone = new Set([...given].map((axis) => (Number(axis) + rank) % rank));
  let outAt = 0;
  for (let at = 0; at < rank; at++) if (!gone.has(at)) joinAt(first, at, outAt++);
}

/** Elementwise, and whatever else keeps the order of the axes. */
function joinAligned(
  value: Value,
  out: Value,
  isCut: boolean,
  joinAt: (value: Value, at: number, outAt: number) => void,
): void {
  for (let at = -1; at >= -Math.min(value.shape.length, out.shape.length); at--) {
    const isSame = value.shape.at(at) === out.shape.at(at);
    const isWhole = isCut && value.shape.length === out.shape.length;
    if ((isSame && out.shape.at(at) !== 1) || isWhole) joinAt(value, at, at);
  }
}
