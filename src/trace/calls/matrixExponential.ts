/**
 * e^A as PyTorch computes it: a polynomial of A, whose degree its norm decides, or of A / 2^s, squared
 * s times. (Bader, Blanes and Casas: Computing the matrix exponential with an optimized Taylor
 * polynomial approximation.)
 */
import { invariant, torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { type DType, isHalf, numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo, sliceAxis, swapLastTwo, zerosOf } from "../../ops/write.ts";
import { tensor } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import type { Matrix } from "../decompositions.ts";
import { inKernels } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { everywhere, given, place, refuseGradient, squareMatricesOf } from "./knownMatrices.ts";

const degrees = [1, 2, 4, 8, 12, 18] as const;
type Degree = (typeof degrees)[number];

/** The largest norm for each degree; beyond the last one A is scaled. */
const singleReach = [
  1.192092800768788e-7, 5.978858893805233e-4, 5.116619363445086e-2, 0.5800524627688768,
  1.461661507209034, 3.010066362817634,
] as const;
const doubleReach = [
  2.220446049250313e-16, 2.580956802971767e-8, 3.397168839976962e-4, 4.991228871115323e-2,
  0.299615891381158, 1.090863719290036,
] as const;

const reachOf = (type: DType) => (type === "float32" ? singleReach : doubleReach);

/** Rows: what 1, A, A² and A³ are multiplied with in each part of the polynomial of degree 12. */
const parts12 = [
  [9.0198e-16, 0.4693211759541824, -0.20099424927047285, -0.04623946134063072],
  [5.315978957598713, 1.1992679041713223, 0.01179296240992997, 0.01108844528519168],
  [0.18188869982170436, 0.05502798439925399, 0.09351590770535415, 0.006107005288980582],
  [-2.086132e-13, -0.13181061013830184, -0.02027855540589259, -0.006759518468630863],
] as const;

/** Rows: the same of 1, A, A², A³ and A⁶ for degree 18. */
const parts18 = [
  [0, -0.10036558103014462, -0.00802924648241157, -0.00089213849804573, 0],
  [0, 0.3978497494996451, 1.3678377846041172, 0.49828962252538267, -0.0006378981945947233],
  [
    -10.967639605296206, 1.680158138789062, 0.05717798464788655, -0.0069821012248805206,
    3.349750170860705e-5,
  ],
  [
    -0.09043168323908106, -0.06764045190713819, 0.06759613017704597, 0.029555257042931552,
    -1.391802575160607e-5,
  ],
  [0, 0, -0.09233646193671186, -0.016936493900208172, -1.400867981820361e-5],
] as const;

/** Writes of one type's matrices: in half precision each step is rounded, as PyTorch's kernels do. */
interface Algebra {
  readonly emit: Emit;
  readonly type: DType;
}

const times = ({ emit }: Algebra, a: Value, b: Value): Value => emit.op("MatMul", [a, b]);
const plus = ({ emit }: Algebra, a: Value, b: Value): Value => emit.op("Add", [a, b]);

/** Σ of matrices times one row of numbers each, for every row. */
function combinations(
  { emit, type }: Algebra,
  matrices: readonly Value[],
  rows: readonly (readonly number[])[],
): Value[] {
  const numbers = asRead(type, rows.flat());
  return rows.map((row, at) => {
    const terms = row.flatMap((_, k) => {
      const factor = numbers[at * row.length + k] as number;
      const matrix = matrices[k] as Value;
      if (factor === 0 && !isHalf(type)) return [];
      return [factor === 1 ? matrix : emit.op("Mul", [matrix, emit.scalar(factor, matrix.dtype)])];
    });
    return terms.reduce((sum, term) => emit.op("Add", [sum, term]));
  });
}

const combination = (algebra: Algebra, matrices: readonly Value[], row: readonly number[]): Value =>
  combinations(algebra, matrices, [row])[0] as Value;

/** PyTorch hands its numbers over as doubles, of whose bytes half precision reads the first as its own. */
function asRead(type: DType, numbers: readonly number[]): readonly number[] {
  if (!isHalf(type)) return numbers;
  const words = new Uint16Array(Float64Array.from(numbers).buffer);
  return numbers.map((_, at) => halfOf(type, words[at] as number));
}

function halfOf(type: DType, bits: number): number {
  if (type === "bfloat16") return new Float32Array(Uint32Array.of(bits << 16).buffer)[0] as number;
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function polynomial(algebra: Algebra, degree: Degree, a: Value): Value {
  const { emit } = algebra;
  const one = unit(emit, a);
  if (degree === 1) return plus(algebra, one, a);
  const square = times(algebra, a, a);
  if (degree === 2) {
    const half = emit.op("Div", [square, emit.scalar(2, a.dtype)]);
    return plus(algebra, plus(algebra, one, a), half);
  }
  const powers = [one, a, square];
  if (degree === 4) {
    const high = times(algebra, square, combination(algebra, powers, [1 / 2, 1 / 6, 1 / 24]));
    return combination(algebra, [...powers, high], [1, 1, 0, 1]);
  }
  if (degree === 8) return ofDegree8(algebra, powers);
  const cube = times(algebra, a, square);
  if (degree === 12) {
    const [p, q, r, s] = combinations(algebra, [...powers, cube], parts12) as Four;
    const high = plus(algebra, r, times(algebra, s, s));
    return plus(algebra, p, times(algebra, plus(algebra, q, high), high));
  }
  const sixth = times(algebra, cube, cube);
  const [o, p, q, r, s] = combinations(algebra, [...powers, cube, sixth], parts18) as Five;
  const high = plus(algebra, r, times(algebra, o, s));
  return plus(algebra, p, times(algebra, plus(algebra, q, high), high));
}

type Four = [Value, Value, Value, Value];
type Five = [Value, Value, Value, Value, Value];

function ofDegree8(algebra: Algebra, powers: readonly Value[]): Value {
  const root = 13.30413469565007;
  const x3 = 2 / 3;
  const x1 = (x3 * (1 + root)) / 88;
  const x2 = (x3 * (1 + root)) / 352;
  const mixed = [
    (-271 + 29 * root) / (315 * x3),
    (-11 + 11 * root) / (1260 * x3),
    (-99 + 11 * root) / (5040 * x3),
    (89 - root) / (5040 * x3),
  ];
  const y2 = (857 - 58 * root) / 630;
  const [, a, square] = powers as [Value, Value, Value];
  const fourth = times(algebra, square, combination(algebra, [a, square], [x1, x2]));
  const left = combination(algebra, [square, fourth], [x3, 1]);
  const high = times(algebra, left, combination(algebra, [...powers, fourth], mixed));
  return combination(algebra, [...powers, fourth, high], [1, 1, y2, 0, 1]);
}

/** The identity in the shape of its last two axes. */
function unit(emit: Emit, a: Value): Value {
  const n = a.shape.at(-1) as number;
  const data = Float64Array.from({ length: n * n }, (_, at) => Number(at % (n + 1) === 0));
  const whole = emit.constant({ dtype: "int64", shape: [n, n], data });
  return castTo(emit, whole, a.dtype);
}

/** How a matrix of some norm is computed. */
interface Plan {
  readonly degree: Degree;
  readonly squarings: number;
}

/** Of several matrices PyTorch computes all to the highest degree. */
function planOf(norm: number, type: DType, isAlone: boolean): Plan {
  const reach = reachOf(type);
  const at = !isAlone ? -1 : reach.slice(0, -1).findIndex((most) => norm <= most);
  if (at >= 0) return { degree: degrees[at] as Degree, squarings: 0 };
  const last = reach.at(-1) as number;
  const squarings = Math.ceil(Math.log2(norm / last));
  return { degree: 18, squarings: Number.isFinite(squarings) ? Math.max(0, squarings) : 0 };
}

function planned(algebra: Algebra, a: Value, { degree, squarings }: Plan): Value {
  const { emit } = algebra;
  const isScaled = squarings > 0;
  const scaled = isScaled ? emit.op("Div", [a, emit.scalar(2 ** squarings, a.dtype)]) : a;
  let power = polynomial(algebra, degree, scaled);
  for (let k = 0; k < squarings; k++) power = times(algebra, power, power);
  return power;
}

/** Every matrix by its own plan. */
function exponential(algebra: Algebra, x: Value, plans: readonly Plan[]): Value {
  const { emit } = algebra;
  const keys = plans.map(({ degree, squarings }) => `${degree} ${squarings}`);
  const kinds = [...new Set(keys)];
  if (kinds.length <= 1) return planned(algebra, x, plans[0] ?? { degree: 1, squarings: 0 });
  const n = x.shape.at(-1) as number;
  const flat = reshapeTo(emit, x, [plans.length, n, n]);
  const places = kinds.map((kind) => plans.flatMap((_, at) => (keys[at] === kind ? [at] : [])));
  const made = places.map((at) =>
    planned(
      algebra,
      emit.op("Gather", [flat, emit.ints(at)], { axis: 0 }),
      plans[at[0] ?? 0] as Plan,
    ),
  );
  const order = places.flat();
  const back = plans.map((_, at) => order.indexOf(at));
  const all = emit.op("Concat", made, { axis: 0 });
  return reshapeTo(emit, emit.op("Gather", [all, emit.ints(back)], { axis: 0 }), x.shape);
}

/** The largest sum of a column's sizes. */
function columnNorm({ rows, columns, data }: Matrix): number {
  let most = 0;
  for (let j = 0; j < columns; j++) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += Math.abs(data[i * columns + j] as number);
    most = Math.max(most, sum);
  }
  return most;
}

/** Gradients whose columns add up to more are halved until they do not: the result is linear in them. */
const gradientReach = 64;

/**
 * PyTorch's gradient: the upper right block of the exponential of (Aᵀ d; 0 Aᵀ), whose norm is known
 * only where the gradient is.
 */
function gradient(algebra: Algebra, a: Value, d: Value, largest: number): Value {
  const { emit, type } = algebra;
  const n = a.shape.at(-1) as number;
  const turned = swapLastTwo(emit, a);
  const share = isHalf(type) ? null : shareOf(emit, d);
  const given = share ? emit.op("Mul", [d, share]) : d;
  const zeros = zerosOf(emit, a.dtype, a.shape);
  const block = emit.op(
    "Concat",
    [
      emit.op("Concat", [turned, given], { axis: -1 }),
      emit.op("Concat", [zeros, turned], { axis: -1 }),
    ],
    { axis: -2 },
  );
  const most = isHalf(type) ? 2 ** 16 : largest + gradientReach;
  const whole = measured(algebra, block, normOf(emit, block), planOf(most, type, false).squarings);
  const rows = sliceAxis(emit, whole, a.shape.length - 2, 0, n);
  const made = sliceAxis(emit, rows, a.shape.length - 1, n, 2 * n);
  return share ? emit.op("Div", [made, share]) : made;
}

const normOf = (emit: Emit, x: Value): Value =>
  emit.op(
    "ReduceMax",
    [
      emit.op("ReduceSum", [emit.op("Abs", [x]), emit.ints([-2])], { keepdims: 1 }),
      emit.ints([-1]),
    ],
    { keepdims: 1 },
  );

/** A power of 2 that brings the gradient of each matrix within reach. */
function shareOf(emit: Emit, d: Value): Value {
  const over = emit.op("Div", [normOf(emit, d), emit.scalar(gradientReach, d.dtype)]);
  return emit.op("Pow", [emit.scalar(0.5, d.dtype), halvings(emit, over)]);
}

/** max(0, ⌈log₂ x⌉) */
function halvings(emit: Emit, x: Value): Value {
  const one = emit.scalar(1, x.dtype);
  const digits = emit.op("Log", [emit.op("Max", [x, one])]);
  return emit.op("Ceil", [emit.op("Div", [digits, emit.scalar(Math.LN2, x.dtype)])]);
}

/** The exponential of matrices whose norms the graph computes; only half precision shows the degree. */
function measured(algebra: Algebra, x: Value, norm: Value, squarings: number): Value {
  const { emit, type } = algebra;
  const number = (value: number) => emit.scalar(value, x.dtype);
  const reach = reachOf(type);
  const over = emit.op("Div", [norm, number(reach.at(-1) as number)]);
  const wanted = halvings(emit, over);
  const scale = emit.op("Pow", [number(2), wanted]);
  let power = polynomial(algebra, 18, emit.op("Div", [x, scale]));
  for (let k = 0; k < squarings; k++)
    power = emit.op("Where", [
      emit.op("Less", [number(k), wanted]),
      times(algebra, power, power),
      power,
    ]);
  if (!isHalf(type) || numel(x.shape.slice(0, -2)) > 1) return power;
  return degrees.slice(0, -1).reduceRight((other, degree, at) => {
    const isWithin = emit.op("LessOrEqual", [norm, number(reach[at] as number)]);
    return emit.op("Where", [isWithin, polynomial(algebra, degree, x), other]);
  }, power);
}

export const matrixExp = torchCall({
  name: "matrix_exp",
  in: [...everywhere, ...place],
  params: { input: tensor },
  savesFor: { input: ["input"] },
  build: (ctx, { input }) => {
    const matrices = squareMatricesOf(ctx, "linalg.matrix_exp", input, "half too");
    return given(written(ctx, input, matrices), input);
  },
});

function written(ctx: CallContext, input: Tensor, matrices: readonly Matrix[]): Value {
  const { emit } = ctx;
  const x = ctx.read(input);
  if (numel(x.shape) === 0) return emit.op("Identity", [x]);
  const type = input.dtype;
  const norms = matrices.map(columnNorm);
  const largest = Math.max(...matrices.map(rowNorm));
  const write = (to: Emit): Algebra => ({ emit: inKernels(to, type), type });
  const isSingle = x.shape.at(-1) === 1;
  const plans = norms.map((norm) => planOf(norm, type, norms.length === 1));
  if (type === "bfloat16") refuseOverflowing(ctx, input, plans);
  const [made] = emit.grouped(
    [x],
    () => [isSingle ? emit.op("Exp", [x]) : exponential(write(emit), x, plans)],
    (backward, [d]) => [d ? gradient(write(backward), x, d, largest) : null],
  );
  invariant(made !== undefined, "one result");
  return made;
}

const rowNorm = ({ rows, columns, data }: Matrix): number =>
  Math.max(
    ...Array.from({ length: rows }, (_, i) =>
      data.slice(i * columns, (i + 1) * columns).reduce((sum, x) => sum + Math.abs(x), 0),
    ),
  );

/** The numbers that bfloat16 reads reach its largest, where sums hang on their order. */
function refuseOverflowing(ctx: CallContext, input: Tensor, plans: readonly Plan[]): void {
  refuseGradient(ctx, "matrix_exp in bfloat16", input);
  if (plans.some(({ degree }) => degree === 12))
    throw torchError(
      "UnsupportedCall",
      "matrix_exp of numbers of this size in bfloat16 is not supported",
      "PyTorch's own result overflows; compute it in float32",
    );
}
