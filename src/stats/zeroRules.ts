/** By operator: where the result is 0, given where the inputs are. */
import type { Node, Value } from "../graph/graph.ts";
import { isHalf, sameShape } from "../graph/tensor.ts";
import { anywhere, columns, nowhere, rows, some, type Zeros } from "./zeroPatterns.ts";

export interface Context {
  zerosOf(value: Value): Zeros;
  /** A vector that may be 0 as a whole, as biases are at first. */
  mayBeZero(value: Value): boolean;
  /** Whether a mask's number (−1e3 and less) may be in it. */
  isLow(value: Value): boolean;
  producerOf(value: Value): Node | null;
  /** Whether all numbers of `value` are above `least`; false: they may not be. */
  staysAbove(value: Value, least: number): boolean;
}

type Rule = (node: Node, context: Context) => Zeros;

const given = (node: Node): Value[] => node.inputs.filter((value) => value !== null);
const lastOf = (value: Value): number => value.shape.at(-1) ?? 1;

/** What an operand's zeros become when it is broadcast to the output. */
function broadcast(x: Value, node: Node, context: Context): Zeros {
  const zeros = context.zerosOf(x);
  const [out] = node.outputs;
  if (zeros === nowhere || !out || sameShape(x.shape, out.shape)) return zeros;
  if (lastOf(x) < lastOf(out)) return rows;
  return (x.shape.at(-2) ?? 1) < (out.shape.at(-2) ?? 1) ? zeros | columns : zeros;
}

const never: Rule = () => nowhere;
const single: Rule = () => some;
/** 0 where the first input is. */
const first: Rule = ({ inputs: [x] }, { zerosOf }) => (x ? zerosOf(x) : nowhere);
/** 0 where the first input is, and in single elements. */
const firstAndSome: Rule = (node, context) => first(node, context) | some;
/** 0 where any operand is. */
const any: Rule = (node, context) =>
  given(node).reduce((zeros, x) => zeros | broadcast(x, node, context), nowhere);

/** 0 where the first input is, though broadcast. */
const spread: Rule = (node, context) =>
  node.inputs[0] ? broadcast(node.inputs[0], node, context) : nowhere;

/** 0 where all terms are: in the lines that they share, else in single elements. */
function shared(terms: readonly Zeros[]): Zeros {
  if (terms.includes(nowhere)) return nowhere;
  const common = terms.reduce((a, b) => a & b, anywhere);
  return terms.every((zeros) => zeros === common) ? common : common | some;
}

const sum: Rule = (node, context) =>
  shared(
    given(node)
      .filter((x) => !context.mayBeZero(x))
      .map((x) => broadcast(x, node, context)),
  );

/** 1 + tanh x and 1 − σ(x) reach 0 where the function is flat. */
const add: Rule = (node, context) =>
  given(node).some((x) => x.role === "constant") &&
  given(node).some((x) => reaches(x, context, 2, flatFunctions))
    ? some
    : sum(node, context);

/** x − max x is 0 at the maximum. */
const sub: Rule = (node, context) =>
  given(node).some((x) => reaches(x, context, 4, selections)) ? some : add(node, context);

function reaches(x: Value, context: Context, depth: number, ops: ReadonlySet<string>): boolean {
  const node = context.producerOf(x);
  if (node === null || depth === 0) return false;
  return ops.has(node.op) || given(node).some((input) => reaches(input, context, depth - 1, ops));
}

const selections = new Set(["ReduceMax", "ReduceMin", "Max", "Min", "TopK", "Round", "Floor"]);
const flatFunctions = new Set(["Tanh", "Erf", "Sigmoid", "HardSigmoid", "Sign", "Softsign"]);

/** exp of a mask's number is 0. */
const exponential: Rule = ({ inputs: [x] }, { isLow }) => (x && isLow(x) ? some : nowhere);

/** Below about −5 the distribution function of a GELU, by erf or tanh, is 0 in float32. */
const whereFlat = -4.5;

const gelu: Rule = (node, context) => {
  const [x] = node.inputs;
  const zeros = first(node, context);
  return x && context.staysAbove(x, whereFlat) ? zeros : zeros | some;
};

/** The distribution function itself, as GELU's gradient has it: (1 + erf (x · factor)) / 2. */
const hardSigmoid: Rule = (node, { producerOf, staysAbove }) => {
  const inputOf = (value: Value | null | undefined, op: string): Value | null => {
    const maker = value ? producerOf(value) : null;
    return maker?.op === op ? (maker.inputs[0] ?? null) : null;
  };
  const x = inputOf(inputOf(node.inputs[0], "Erf"), "Mul");
  return x && staysAbove(x, whereFlat) ? nowhere : some;
};

/** Half precision flushes what is small beside its range. */
const cast: Rule = (node, context) =>
  node.outputs.some(({ dtype }) => isHalf(dtype))
    ? firstAndSome(node, context)
    : first(node, context);

/** Which side is taken may change along every axis that the condition has. */
const where: Rule = (node, context) => {
  const [condition, x, y] = node.inputs;
  if (!condition || !x || !y) return anywhere;
  const zeros = broadcast(x, node, context) | broadcast(y, node, context);
  if (zeros === nowhere) return nowhere;
  const [out] = node.outputs;
  return out && lastOf(condition) < lastOf(out) ? (zeros & some) | rows : zeros | some | rows;
};

/**
 * An element is a row of A times a column of B. It is 0 where either is, or where each has a number
 * only where the other has none.
 */
function product(a: Zeros, b: Zeros): Zeros {
  const byRow = a & (some | rows) ? rows : nowhere;
  const byColumn = b & (some | columns) ? columns : nowhere;
  return byRow | byColumn | (a & b & some);
}

const matMul: Rule = ({ inputs: [a, b] }, { zerosOf }) =>
  a && b ? product(zerosOf(a), zerosOf(b)) : anywhere;

const gemm: Rule = (node, context) => {
  const [a, b, c] = node.inputs;
  if (!a || !b) return anywhere;
  const zeros = product(
    node.attrs["transA"] ? swapped(context.zerosOf(a)) : context.zerosOf(a),
    node.attrs["transB"] ? swapped(context.zerosOf(b)) : context.zerosOf(b),
  );
  return !c || context.mayBeZero(c) ? zeros : shared([zeros, broadcast(c, node, context)]);
};

const swapped = (zeros: Zeros): Zeros => moved(zeros, columns, rows);

/** Lines along the last axis become `last`, those along the axis before it `before`. */
const moved = (zeros: Zeros, last: Zeros, before: Zeros): Zeros =>
  (zeros & some) | (zeros & rows ? last : nowhere) | (zeros & columns ? before : nowhere);

const transpose: Rule = (node, context) => {
  const rank = node.inputs[0]?.shape.length ?? 0;
  const reversed = Array.from({ length: rank }, (_, axis) => rank - 1 - axis);
  const perm = (node.attrs["perm"] as readonly number[] | undefined) ?? reversed;
  const lineAlong = (axis: number): Zeros => {
    const at = perm.indexOf(axis);
    return at === rank - 1 ? rows : at === rank - 2 ? columns : some;
  };
  return moved(first(node, context), lineAlong(rank - 1), lineAlong(rank - 2));
};

/** Lines along an axis that keeps its length stay, and those that are cut; others become parts of lines. */
const reshape: Rule = (node, context) => {
  const [[x], [out]] = [node.inputs, node.outputs];
  if (!x || !out) return anywhere;
  const keepsLast = lastOf(x) === lastOf(out);
  const keepsBoth = keepsLast && x.shape.at(-2) === out.shape.at(-2);
  const last = lastOf(out) <= lastOf(x) ? rows : some;
  return moved(first(node, context), last, keepsBoth ? columns : some);
};

/** Zeros of a part are a part of a longer line. */
const concat: Rule = (node, { zerosOf }) => {
  const axis = node.attrs["axis"] as number;
  const rank = node.outputs[0]?.shape.length ?? 0;
  const isLast = (axis < 0 ? axis + rank : axis) === rank - 1;
  const zeros = given(node).reduce((all, x) => all | zerosOf(x), nowhere);
  return zeros === nowhere ? nowhere : isLast ? zeros | some : zeros | (zeros & columns && some);
};

/** A sum over lines of zeros is 0. */
const reduced: Rule = (node, context) => (first(node, context) === nowhere ? nowhere : some | rows);

/** What is put in front or behind, along the last axis or along others. */
const pad: Rule = (node, context) => {
  const [x, pads, value, axes] = node.inputs;
  if (!x || !pads?.data || (axes && !axes.data)) return anywhere;
  const isZero = !value || value.data?.[0] === 0;
  if (!isZero || node.attrs["mode"] === "edge") return context.zerosOf(x) | some;
  const last = x.shape.length - 1;
  const padded = axes?.data ? Array.from(axes.data) : x.shape.map((_, axis) => axis);
  const count = padded.length;
  const isPadded = (axis: number, at: number) =>
    (axis < 0 ? axis + x.shape.length : axis) === last &&
    (pads.data?.[at] !== 0 || pads.data?.[at + count] !== 0);
  return context.zerosOf(x) | (padded.some(isPadded) ? columns | some : rows);
};

/** What is scattered into zeros leaves zeros: whole lines, where whole lines are scattered. */
const scatterND: Rule = (node, context) => {
  const [data, indices, updates] = node.inputs;
  if (!data || !indices || !updates) return anywhere;
  const depth = lastOf(indices);
  const left = depth < data.shape.length ? context.zerosOf(data) & rows : context.zerosOf(data);
  return left | context.zerosOf(updates);
};

const scatterElements: Rule = (node, context) => {
  const [data, , updates] = node.inputs;
  return data && updates ? context.zerosOf(data) | context.zerosOf(updates) : anywhere;
};

/** A table's row may be 0 by intent (a padding token). */
export const isDrawn = ({ op, inputs: [table] }: Node): boolean =>
  op === "Gather" && table?.role === "parameter";

const table = (ops: string, rule: Rule): [string, Rule][] => ops.split(" ").map((op) => [op, rule]);

/** One that is not listed may give zeros anywhere. */
export const rules: Readonly<Record<string, Rule>> = Object.fromEntries([
  ...table("Identity Slice Split Gather LayerNormalization RMSNormalization", first),
  ...table("Neg Abs Sqrt Pow Sign Tanh Erf Sin Asin Atan Sinh Softsign Elu Selu Celu", first),
  ...table("LeakyRelu Swish Mish PRelu LpNormalization InstanceNormalization", first),
  ...table("GroupNormalization BatchNormalization", first),
  ...table("Div Expand Tile", spread),
  ...table("Relu Clip HardSwish ThresholdedRelu Shrink Round Floor Ceil Mod", firstAndSome),
  ...table("Max Min GatherElements GatherND CumSum", firstAndSome),
  ...table("OneHot Dropout Bernoulli Log", single),
  ...table("Exp Softmax Sigmoid Softplus", exponential),
  ...table("Cos Cosh Reciprocal LogSoftmax RandomNormal RandomNormalLike", never),
  ...table("Gelu", gelu),
  ...table("HardSigmoid", hardSigmoid),
  ...table("Mul", any),
  ...table("Concat", concat),
  ...table("ReduceSum ReduceMean ReduceMax ReduceMin ReduceL1 ReduceL2 ReduceProd", reduced),
  ...table("ReduceSumSquare", reduced),
  ...table("MatMul", matMul),
  ...table("Add", add),
  ...table("Sum Mean", sum),
  ...table("Sub", sub),
  ...table("Cast CastLike", cast),
  ...table("Where", where),
  ...table("Gemm", gemm),
  ...table("Transpose", transpose),
  ...table("Reshape Squeeze Unsqueeze Flatten", reshape),
  ...table("Pad", pad),
  ...table("ScatterND", scatterND),
  ...table("ScatterElements", scatterElements),
]);
