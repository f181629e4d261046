/** Which strides a call's results have in PyTorch. What no rule names lies row by row. */
import { sameShape } from "../../graph/tensor.ts";
import { isScalar, isTensor, tensorsIn } from "../arguments.ts";
import type { Laid, Tensor } from "../tensor.ts";
import {
  convolved,
  convolvedVolumes,
  pooledAlongLines,
  pooledAlongLinesWithPlaces,
} from "./images.ts";
import {
  columnStrides,
  isPlain,
  iteratedStrides,
  preservedStrides,
  suggestedStrides,
} from "./strides.ts";
import { transformed } from "./transforms.ts";

export interface LaidCall {
  readonly args: Readonly<Record<string, unknown>>;
  /** The tensors among the arguments, in order. */
  readonly operands: readonly Tensor[];
  /** Of the result. */
  readonly shape: readonly number[];
  /** Whether autograd will differentiate it. */
  requiresGrad(): boolean;
}

/** Strides of a result; null: row by row. */
export type Rule = (call: LaidCall) => readonly number[] | null;

const number: Laid = { shape: [], strides: [] };

const fits = (shape: readonly number[], { shape: own }: Laid): boolean => {
  const extra = shape.length - own.length;
  return extra >= 0 && own.every((size, axis) => size === 1 || size === shape[axis + extra]);
};

/** TensorIterator on operands that are all of the result's shape once they are broadcast. */
function iterated(shape: readonly number[], operands: readonly Laid[]): readonly number[] | null {
  if (operands.every(isPlain) || !operands.every((operand) => fits(shape, operand))) return null;
  return iteratedStrides(shape, operands);
}

/** A number beside a tensor is an operand without axes. */
const elementwise: Rule = ({ args, operands, shape }) =>
  iterated(shape, isScalar(args["other"]) ? [...operands, number] : operands);

const reflected: Rule = ({ operands, shape }) => iterated(shape, operands.toReversed());

/** What is computed of the third operand first: log(var) + (input − target)² / var. */
const thirdFirst: Rule = ({ operands: [first, second, third], shape }) =>
  first && second && third ? iterated(shape, [third, first, second]) : null;

/** (1 − target), into which all else is written. */
const ofTarget: Rule = ({ operands: [input, target], shape }) =>
  input && target && fits(shape, input) ? iterated(shape, [target, number]) : null;

/** A number to the power of a tensor has a layout of its own. */
const power: Rule = (call) => (isScalar(call.args["input"]) ? null : elementwise(call));

/** Differences of a tensor's two parts, unless something was joined to it. */
const differences: Rule = (call) =>
  call.args["prepend"] || call.args["append"] ? null : halves(call);

const unary: Rule = ({ operands, shape }) => iterated(shape, operands.slice(0, 1));

/** The first operand, by something that is broadcast to it. */
const scaled: Rule = ({ operands, shape }) => iterated(shape, [...operands.slice(0, 1), number]);

/** max(x, y); of one tensor alone they are reductions. */
const ofTwo: Rule = (call) => (isOfTwo(call.args) ? elementwise(call) : null);

const isOfTwo = (args: LaidCall["args"]): boolean =>
  isTensor(args["dim"]) || isTensor(args["other"]);

/** A column, a row, and what their product is added to. */
const outer: Rule = ({ operands: [input, column, row], shape }) =>
  input && column && row
    ? iterated(shape, [
        input,
        { shape: [...column.shape, 1], strides: [...column.strides, 0] },
        row,
      ])
    : null;

/** Both halves of the first operand along an axis. */
const halves: Rule = ({ operands: [first], shape }) => {
  if (first === undefined || isPlain(first)) return null;
  const half = { shape, strides: first.strides };
  return iteratedStrides(shape, [half, half]);
};

/** A copy of the first operand. */
const copied: Rule = ({ operands: [first], shape }) =>
  first && sameShape(first.shape, shape) ? preservedStrides(first) : null;

/** By a random mask that is laid out like the operand. */
const masked: Rule = ({ operands: [first], shape }) =>
  first ? iterated(shape, [first, { shape, strides: preservedStrides(first) }]) : null;

/** channels_last where the first operand is so. */
const suggested: Rule = ({ operands: [first], shape }) =>
  first && first.shape.length === shape.length ? suggestedStrides(shape, first) : null;

/** Means over areas are an adaptive pool; what is read around an image's edge is joined of parts. */
const resampled: Rule = (call) => {
  const { mode } = call.args;
  if (mode === "circular" || (mode === "area" && call.shape.length !== 4))
    return call.shape.length === 3 && mode === "area" ? pooledAlongLines(call) : null;
  return suggested(call);
};

/** channels_last where all parts are so. */
const joined: Rule = ({ args, shape }) => joinedStrides(tensorsIn(args["tensors"]), shape);

function joinedStrides(
  parts: readonly Tensor[],
  shape: readonly number[],
): readonly number[] | null {
  const whole = parts.filter((part) => part.shape.length === shape.length);
  const [first, ...rest] = whole.map((part) => suggestedStrides(shape, part));
  return first && rest.every((strides) => sameShape(strides, first)) ? first : null;
}

/** Along an axis that they have, parts are joined and the axis is divided; not where nothing is in them. */
const stacked: Rule = ({ args, shape }) => {
  const rank = shape.length;
  const axis = ((args["dim"] as number) + rank) % rank;
  if (axis === rank - 1 || shape.includes(0)) return null;
  const [count, size] = [shape[axis] as number, shape[axis + 1] as number];
  const whole = shape.toSpliced(axis, 2, count * size);
  const parts = tensorsIn(args["tensors"]);
  const strides = joinedStrides(parts, whole);
  return strides?.toSpliced(axis, 0, size * (strides[axis] as number)) ?? null;
};

/** Along axes, parts are joined; all in all it is a line that turns. What has no elements is copied. */
const rolled: Rule = (call) => {
  if ((call.args["dims"] as readonly number[]).length === 0) return null;
  return call.shape.includes(0) ? copied(call) : suggested(call);
};

/** A quarter turn swaps axes of what it has reversed. */
const turned: Rule = ({ args, operands: [first], shape }) => {
  const k = args["k"] as number;
  if (first === undefined || k % 4 === 0) return null;
  const strides = preservedStrides(first);
  if (k % 2 === 0) return strides;
  const [a, b] = (args["dims"] as number[]).map((dim) => (dim + shape.length) % shape.length) as [
    number,
    number,
  ];
  return strides.with(a, strides[b] as number).with(b, strides[a] as number);
};

const byColumns: Rule = ({ shape }) => columnStrides(shape);

/** Of a factorisation's results those that are matrices as the operand is, not the places of rows. */
const factors: Rule = (call) =>
  call.shape.length === call.operands[0]?.shape.length ? byColumns(call) : null;

const rules = new Map<string, Rule>();
const named = (rule: Rule, names: string) => {
  for (const name of names.split(/\s+/)) rules.set(name, rule);
};

named(
  elementwise,
  `add sub subtract mul multiply div divide true_divide floor_divide remainder fmod float_power
  addcdiv addcmul atan2 arctan2 bitwise_and bitwise_or bitwise_xor bitwise_left_shift
  bitwise_right_shift clamp clip clamp_max clamp_min complex copysign polar eq ne lt le gt ge
  greater greater_equal less less_equal not_equal fmax fmin maximum minimum heaviside hypot nextafter
  isclose lerp logaddexp logaddexp2 logical_and logical_or logical_xor xlog1py xlogy zeta where
  binary_cross_entropy huber_loss smooth_l1_loss mse_loss l1_loss poisson_nll_loss
  soft_margin_loss threshold`,
);
named(reflected, "rsub kl_div hinge_embedding_loss");
named(thirdFirst, "gaussian_nll_loss margin_ranking_loss");
named(ofTarget, "binary_cross_entropy_with_logits");
named(power, "pow");
named(differences, "diff");
named(
  unary,
  `abs absolute angle acos arccos acosh arccosh asin arcsin asinh arcsinh atan arctan atanh arctanh
  ceil cos cosh deg2rad rad2deg digamma erf erfc erfinv exp exp2 expm1 fix floor frac i0 i1
  isfinite isinf isnan isneginf isposinf isreal lgamma log log10 log1p log2 logical_not logit
  bitwise_not nan_to_num neg negative positive reciprocal round rsqrt sgn sigmoid expit sign
  signbit sin sinc sinh sqrt square tan tanh trunc polygamma Tensor.polygamma psi ndtr ndtri log_ndtr entr erfcx
  relu relu6 gelu silu elu selu celu leaky_relu mish softplus softsign tanhshrink hardtanh
  hardsigmoid hardswish hardshrink softshrink ldexp conj conj_physical gammaln i0e i1e
  bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1
  modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1
  spherical_bessel_j0 airy_ai`,
);
named(scaled, "normalize local_response_norm prelu dropout1d dropout2d dropout3d feature_dropout");
named(ofTwo, "max min");
named(outer, "addr");
named(halves, "glu");
named(masked, "dropout");
named(copied, "flip fliplr flipud index_fill index_put sort msort argsort");
named(turned, "rot90");
named(joined, "cat concat concatenate hstack vstack row_stack dstack column_stack");
named(stacked, "stack");
named(
  suggested,
  `batch_norm group_norm rms_norm pixel_shuffle pixel_unshuffle channel_shuffle avg_pool2d
  max_pool2d max_pool2d_with_indices adaptive_avg_pool2d adaptive_max_pool2d max_pool3d
  max_pool3d_with_indices`,
);
named(resampled, "interpolate pad");
named(pooledAlongLines, "avg_pool1d adaptive_avg_pool1d adaptive_max_pool1d");
named(pooledAlongLinesWithPlaces, "max_pool1d max_pool1d_with_indices");
named(convolved(1), "conv1d conv_transpose1d");
named(convolved(2), "conv2d conv_transpose2d");
named(convolvedVolumes, "conv3d conv_transpose3d");
named(rolled, "roll");
named(suggested, "fftshift ifftshift");
named(factors, "lu_factor");
named(byColumns, "cholesky inv solve inverse solve_triangular");
for (const name of ["fft", "ifft", "rfft", "ihfft", "irfft", "hfft"])
  named(transformed(name), name);
for (const name of ["fft", "ifft", "rfft", "irfft"])
  for (const several of [`${name}2`, `${name}n`]) named(transformed(several), several);

const elementwiseRules: ReadonlySet<Rule> = new Set([elementwise, unary, power]);

/** What depends on the values of arguments alone is left to the call: see `strides` of its results. */
export const stridesOfResult = (name: string, call: LaidCall): readonly number[] | null =>
  rules.get(name)?.(call) ?? null;

/** Whether an element of the result hangs on one element of each operand alone. */
export const isElementwise = (name: string): boolean =>
  elementwiseRules.has(rules.get(name) as Rule);

/** The same of a call that has been given its arguments: max and min may be of two tensors. */
export const isElementwiseOf = (name: string, args: LaidCall["args"]): boolean =>
  isElementwise(name) || (rules.get(name) === ofTwo && isOfTwo(args));
