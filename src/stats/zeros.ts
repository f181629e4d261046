/**
 * Which values can hold exact zeros, so that only those are counted. Not looked for: a zero by
 * chance, where two unequal terms cancel to the last bit (about one element in ten million).
 */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { isFloat, isHalf } from "../graph/tensor.ts";

/**
 * - `none`: only by chance
 * - `some`: single elements; a product with a matrix is 0 only where a whole row of them is
 * - `rows`: whole rows, columns or all of it
 */
export type Zeros = "none" | "some" | "rows";

export interface ZerosFound {
  zerosOf(value: Value): Zeros;
  /** Whether a value must be counted to know its zeros. */
  counted(value: Value): boolean;
}

/** `known` has what was measured; it is asked before the operator is. */
export function findZeros(
  graph: Graph,
  known: (value: Value) => Zeros | null = () => null,
): ZerosFound {
  const found = new Map<number, Zeros>();
  const drawn = new Set<number>();
  const lows = new Set<number>();
  const looked = new Set<number>();
  const producers = new Map<number, Node>();
  const zerosOf = (value: Value): Zeros => {
    const zeros = found.get(value.id);
    if (zeros !== undefined) return zeros;
    const own = known(value) ?? zerosOfSource(value);
    found.set(value.id, own);
    return own;
  };
  const context: Context = {
    zerosOf,
    isLow: (value) => {
      if (value.role === "constant" && !looked.has(value.id)) {
        looked.add(value.id);
        if (holdsLow(value)) lows.add(value.id);
      }
      return lows.has(value.id);
    },
    producerOf: (value) => producers.get(value.id) ?? null,
  };
  for (const node of graph.nodes) {
    const rule = rules[node.op] ?? everywhere;
    const zeros = rule(node, context);
    if (lowPasses.has(node.op) && node.inputs.some((value) => value && context.isLow(value)))
      for (const value of node.outputs) lows.add(value.id);
    for (const value of node.outputs) {
      producers.set(value.id, node);
      found.set(value.id, known(value) ?? zeros);
      if (node.op === "Gather" && node.inputs[0]?.role === "parameter") drawn.add(value.id);
    }
  }
  return {
    zerosOf,
    counted: (value) =>
      value.role === "parameter" ||
      drawn.has(value.id) ||
      !isFloat(value.dtype) ||
      zerosOf(value) !== "none",
  };
}

interface Context {
  zerosOf(value: Value): Zeros;
  /** Whether a mask's large negative number may be in it. */
  isLow(value: Value): boolean;
  producerOf(value: Value): Node | null;
}

type Rule = (node: Node, context: Context) => Zeros;

const rank: Readonly<Record<Zeros, number>> = { none: 0, some: 1, rows: 2 };
const most = (a: Zeros, b: Zeros): Zeros => (rank[a] >= rank[b] ? a : b);
const least = (a: Zeros, b: Zeros): Zeros => (rank[a] <= rank[b] ? a : b);

/** Weights are taken to be full until they are measured. */
function zerosOfSource(value: Value): Zeros {
  if (value.role === "parameter") return "none";
  if (value.data === null) return "rows";
  const row = value.shape.at(-1) ?? 1;
  let zeros: Zeros = "none";
  for (let from = 0; from < value.data.length; from += row) {
    let inRow = 0;
    for (let i = from; i < from + row; i++) if (value.data[i] === 0) inRow++;
    if (inRow === row) return "rows";
    if (inRow > 0) zeros = "some";
  }
  return zeros;
}

const given = (node: Node): Value[] => node.inputs.filter((value) => value !== null);

const everywhere: Rule = () => "rows";
const somewhere: Rule = () => "some";
const nowhere: Rule = () => "none";

/** 0 where the first input is. */
const first: Rule = ({ inputs: [x] }, { zerosOf }) => (x ? zerosOf(x) : "none");
/** 0 where any input is. */
const any: Rule = (node, { zerosOf }) => given(node).map(zerosOf).reduce(most, "none");
/** 0 at least in single elements, whatever the input. */
const atLeastSome: Rule = (node, context) => most("some", first(node, context));

/** A vector that is added may be a bias that starts at 0. */
const zerosOfTerm = (x: Value, { zerosOf }: Context): Zeros =>
  x.role === "parameter" && x.shape.length <= 1 ? "rows" : zerosOf(x);

/** 0 only where all terms are. */
const sum: Rule = (node, context) =>
  given(node)
    .map((x) => zerosOfTerm(x, context))
    .reduce(least, "rows");

/** 1 + tanh x and 1 − σ(x) reach 0 where the function is flat. */
const add: Rule = (node, context) =>
  given(node).some((x) => x.role === "constant") &&
  given(node).some((x) => isFlatSomewhere(x, context, 2))
    ? "some"
    : sum(node, context);

/** x − max x is 0 at the maximum. */
const sub: Rule = (node, context) =>
  given(node).some((x) => isSelection(x, context, 4)) ? "some" : add(node, context);

const isSelection = (x: Value, context: Context, depth: number): boolean =>
  reaches(x, context, depth, selections);
const isFlatSomewhere = (x: Value, context: Context, depth: number): boolean =>
  reaches(x, context, depth, flatFunctions);

function reaches(x: Value, context: Context, depth: number, ops: ReadonlySet<string>): boolean {
  const node = context.producerOf(x);
  if (node === null || depth === 0) return false;
  return ops.has(node.op) || given(node).some((input) => reaches(input, context, depth - 1, ops));
}

const selections = new Set([
  "ReduceMax",
  "ReduceMin",
  "Max",
  "Min",
  "TopK",
  "Round",
  "Floor",
  "Ceil",
]);
const flatFunctions = new Set(["Tanh", "Erf", "Sigmoid", "HardSigmoid", "Sign", "Softsign"]);

/** exp of a mask's number is 0. */
const exponential: Rule = ({ inputs: [x] }, { isLow }) => (x && isLow(x) ? "some" : "none");

/** −1e3 and less: no model computes with it, and exp of it is 0. */
const holdsLow = ({ data }: Value): boolean => data?.some((x: number) => x <= -1e3) === true;

const lowPasses = new Set([
  ...["Add", "Sum", "Sub", "Mul", "Div", "Where", "Concat", "Slice", "Gather", "Expand", "Cast"],
  ...["Reshape", "Transpose", "Squeeze", "Unsqueeze", "Identity", "Min", "Max", "Clip", "Pad"],
  ...["Split", "Tile", "Neg", "Trilu", "ScatterND", "ScatterElements", "GatherElements"],
]);

/** Half precision flushes what is small beside its range. */
const cast: Rule = (node, context) =>
  node.outputs.some((to) => isHalf(to.dtype)) ? atLeastSome(node, context) : first(node, context);

const where: Rule = ({ inputs: [, x, y] }, { zerosOf }) =>
  x && y && zerosOf(x) === "none" && zerosOf(y) === "none" ? "none" : "rows";

const gemm: Rule = (node, context) => {
  const [a, b, c] = node.inputs;
  const product = any({ ...node, inputs: [a ?? null, b ?? null] }, context);
  return c ? least(product, zerosOfTerm(c, context)) : product;
};

const table = (ops: string, rule: Rule): [string, Rule][] => ops.split(" ").map((op) => [op, rule]);

/** By operator; one that is not listed may give zeros everywhere. */
const rules: Readonly<Record<string, Rule>> = Object.fromEntries([
  ...table("Reshape Transpose Squeeze Unsqueeze Identity Flatten Expand Tile Slice Split", first),
  ...table("Gather GatherElements GatherND CumSum LayerNormalization RMSNormalization", first),
  ...table(
    "Neg Abs Sqrt Pow Sign Tanh Erf Sin Asin Atan Sinh Softsign Elu Selu Celu LeakyRelu",
    first,
  ),
  ...table(
    "Swish Mish Div PRelu ReduceSum ReduceMean ReduceMax ReduceMin ReduceL1 ReduceL2",
    first,
  ),
  ...table("ReduceSumSquare ReduceProd InstanceNormalization GroupNormalization", first),
  ...table("BatchNormalization LpNormalization", first),
  ...table(
    "Relu Clip Gelu HardSwish ThresholdedRelu Shrink Round Floor Ceil Mod Max Min",
    atLeastSome,
  ),
  ...table("OneHot Dropout Bernoulli Log", somewhere),
  ...table("Exp Softmax Sigmoid Softplus", exponential),
  ...table("Cos Cosh Reciprocal LogSoftmax RandomNormal RandomNormalLike", nowhere),
  ...table("Mul MatMul Einsum Conv ConvTranspose Concat ScatterND ScatterElements", any),
  ...table("Add", add),
  ...table("Sum Mean", sum),
  ...table("Sub", sub),
  ...table("Cast CastLike", cast),
  ...table("Where", where),
  ...table("Gemm", gemm),
]);
