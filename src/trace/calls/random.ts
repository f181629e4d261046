/** Random tensors and in-place fills, drawn in PyTorch's order. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import {
  allocate,
  type DType,
  isFloat,
  type Numbers,
  numel,
  type TensorType,
} from "../../graph/tensor.ts";
import {
  bernoulliTensor,
  multinomial as drawMultinomial,
  randperm as drawPermutation,
  type FillKind,
  type FillParams,
  type FloatType,
  fill,
  type Generator,
  type GeneratorState,
  memoryOrder,
  plan,
  runFillJob,
  toRowMajor,
} from "../../random/generator.ts";
import {
  anything,
  bool,
  type DTypeArg,
  either,
  float,
  int,
  ints,
  isTensor,
  keyword,
  operand,
  optional,
  sizes,
  tensor,
  withDefault,
} from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { heldAs, typeOf } from "../promotion.ts";
import { coversStorage, isContiguous, type Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { anyDtype, floatType } from "./create.ts";

/** torch.Generator objects all stand for the one default generator here. */
const generator = keyword(optional(anything));

/** Fills the whole tensor: later, where it is a whole storage, else now. */
export function fillRandom<K extends FillKind>(
  ctx: CallContext,
  target: Tensor,
  kind: K,
  params: FillParams[K],
): Tensor {
  if (ctx.countsOnly) return target;
  const count = numel(target.shape) * (target.isComplex ? 2 : 1);
  const isWindow = !isContiguous(target.shape, target.strides);
  const drawn = isWindow && kind === "normal" ? "stridedNormal" : kind;
  const job = plan(ctx.generator, drawn, count, params as FillParams[typeof drawn]);
  if (!ctx.inStep && coversStorage(target)) {
    ctx.store.fill(target, job);
    return target;
  }
  const { dtype, isComplex, strides } = target;
  const shape = isComplex ? [...target.shape, 2] : target.shape;
  const axes = memoryOrder(target.shape, strides);
  const order = isComplex && axes !== null ? [...axes, axes.length] : axes;
  const inOrder = (numbers: Numbers) => toRowMajor(numbers, dtype, shape, order);
  const numbers = allocate(dtype, count);
  runFillJob(job, numbers);
  const draw = (gen: Generator): Numbers => {
    const fresh = allocate(dtype, count);
    fill(gen, drawn, fresh, params as FillParams[typeof drawn]);
    return inOrder(fresh);
  };
  ctx.store.write(target, drawnIn(ctx, { dtype, shape }, inOrder(numbers), draw, job.state));
  return target;
}

/** What is drawn outside of all modules is the script's own batch, which stays. */
export const drawnIn = (
  ctx: CallContext,
  type: TensorType,
  data: Numbers,
  draw: (gen: Generator) => Numbers,
  before: GeneratorState,
): Value => (ctx.inModule ? ctx.drawn(type, data, draw) : ctx.batch(type, data, before));

/** A new tensor whose numbers are still to come. */
export const unfilled = (ctx: CallContext, shape: readonly number[], type: DTypeArg): Tensor =>
  ctx.store.fromNumbers(type, shape, null);

export function floatTypeOf(name: string, type: DType): FloatType {
  if (!isFloat(type))
    throw torchError("NotImplementedError", `"${name}" not implemented for '${cppName(type)}'`);
  return type as FloatType;
}

export const uniform01 = (dtype: DType) => ({ from: 0, to: 1, dtype: floatTypeOf("rand", dtype) });
/** A complex normal has its variance in two parts. */
const spreadOf = ({ isComplex }: Pick<DTypeArg, "isComplex">) => (isComplex ? Math.SQRT1_2 : 1);

export const normal01 = (type: DTypeArg) => ({
  mean: 0,
  std: spreadOf(type),
  dtype: floatTypeOf("randn", type.dtype),
});

export const rand = torchCall({
  name: "rand",
  in: ["torch"],
  params: { size: sizes, dtype: anyDtype, generator },
  build: (ctx, { size, dtype }) => {
    const type = floatType(ctx, dtype);
    return fillRandom(ctx, unfilled(ctx, size, type), "uniform", uniform01(type.dtype));
  },
});

export const randn = torchCall({
  name: "randn",
  in: ["torch"],
  params: { size: sizes, dtype: anyDtype, generator },
  build: (ctx, { size, dtype }) => {
    const type = floatType(ctx, dtype);
    return fillRandom(ctx, unfilled(ctx, size, type), "normal", normal01(type));
  },
});

const int64: DTypeArg = { dtype: "int64", isComplex: false };

/** randint(high, size) and randint(low, high, size). */
export const randint = torchCall({
  name: "randint",
  in: ["torch"],
  params: { low: int, high: either(int, ints), size: optional(ints), dtype: anyDtype, generator },
  build: (ctx, { low, high, size, dtype }) => {
    const [from, to, shape] =
      size === null ? [0, low, high as readonly number[]] : [low, high as number, size];
    if (from >= to)
      throw torchError(
        "RuntimeError",
        `random_ expects 'from' to be less than 'to', but got from=${from} >= to=${to}`,
      );
    const type = dtype ?? int64;
    return fillRandom(ctx, unfilled(ctx, shape, type), "randint", {
      low: from,
      high: to,
      dtype: type.dtype,
    });
  },
});

export const randperm = torchCall({
  name: "randperm",
  in: ["torch"],
  params: { n: int, dtype: anyDtype, generator },
  build: (ctx, { n, dtype }) => {
    const type = dtype ?? int64;
    refuseKinds("randperm", typeOf(type), ["bool", "complex"]);
    const draw = (gen: Generator): Numbers => {
      const numbers = allocate(type.dtype, n);
      numbers.set(drawPermutation(gen, n));
      return numbers;
    };
    const before = ctx.generator.getState();
    const drawn = { dtype: type.dtype, shape: [n] };
    const value = drawnIn(ctx, drawn, draw(ctx.generator), draw, before);
    return ctx.store.fromValue(value, false);
  },
});

const number = (value: number) => withDefault(float, value);

function edits(name: string) {
  return { name, in: ["Tensor"], edits: true, moves: true } as const;
}

export const uniformInPlace = torchCall({
  ...edits("uniform_"),
  params: { input: tensor, from: number(0), to: number(1), generator },
  build: (ctx, { input, from, to }) =>
    fillRandom(ctx, input, "uniform", { from, to, dtype: floatTypeOf("uniform", input.dtype) }),
});

export const normalInPlace = torchCall({
  ...edits("normal_"),
  params: { input: tensor, mean: number(0), std: number(1), generator },
  build: (ctx, { input, mean, std }) => {
    refuseNegative("normal", std);
    return fillRandom(ctx, input, "normal", {
      mean,
      std: std * spreadOf(input),
      dtype: floatTypeOf("normal", input.dtype),
    });
  },
});

function refuseNegative(name: string, std: number): void {
  if (std < 0) throw torchError("RuntimeError", `${name} expects std >= 0.0, but found std ${std}`);
}

/** What torch.nn.init.trunc_normal_ does. */
export const truncNormalInPlace = torchCall({
  ...edits("trunc_normal_"),
  in: ["torch._C"],
  params: { input: tensor, mean: float, std: float, a: float, b: float },
  build: (ctx, { input, mean, std, a, b }) =>
    fillRandom(ctx, input, "truncNormal", {
      mean,
      std,
      a,
      b,
      dtype: floatTypeOf("normal", input.dtype),
    }),
});

export const exponentialInPlace = torchCall({
  ...edits("exponential_"),
  params: { input: tensor, lambd: number(1), generator },
  build: (ctx, { input, lambd }) =>
    fillRandom(ctx, input, "exponential", {
      lambda: lambd,
      dtype: floatTypeOf("exponential", input.dtype),
    }),
});

export const logNormalInPlace = torchCall({
  ...edits("log_normal_"),
  params: { input: tensor, mean: number(1), std: number(2), generator },
  build: (ctx, { input, mean, std }) =>
    fillRandom(ctx, input, "logNormal", {
      mean,
      std,
      dtype: floatTypeOf("log_normal", input.dtype),
    }),
});

export const cauchyInPlace = torchCall({
  ...edits("cauchy_"),
  params: { input: tensor, median: number(0), sigma: number(1), generator },
  build: (ctx, { input, median, sigma }) =>
    fillRandom(ctx, input, "cauchy", { median, sigma, dtype: floatTypeOf("cauchy", input.dtype) }),
});

export const geometricInPlace = torchCall({
  ...edits("geometric_"),
  params: { input: tensor, p: float, generator },
  build: (ctx, { input, p }) => fillRandom(ctx, input, "geometric", { p, dtype: input.dtype }),
});

/** random_(), random_(to), random_(from, to) */
export const randomInPlace = torchCall({
  ...edits("random_"),
  params: { input: tensor, from: optional(int), to: optional(int), generator },
  build: (ctx, { input, from, to }) => {
    if (from === null) return fillRandom(ctx, input, "random_", { dtype: input.dtype });
    const [low, high] = to === null ? [0, from] : [from, to];
    return fillRandom(ctx, input, "randint", { low, high, dtype: input.dtype });
  },
});

export const bernoulliInPlace = torchCall({
  ...edits("bernoulli_"),
  params: { input: tensor, p: withDefault(operand, { kind: "float", value: 0.5 }), generator },
  build: (ctx, { input, p }) => {
    if (!isTensor(p))
      return fillRandom(ctx, input, "bernoulli", { p: p.value, dtype: input.dtype });
    return writeBernoulli(ctx, input, p);
  },
});

function writeBernoulli(ctx: CallContext, target: Tensor, p: Tensor): Tensor {
  const { dtype, shape } = target;
  const chances = ctx.store.numbers(p).slice();
  if (!chances.every((chance) => chance >= 0 && chance <= 1)) throw notChances();
  const draw = (gen: Generator): Numbers => {
    const numbers = allocate(dtype, numel(shape));
    bernoulliTensor(gen, numbers, chances, probabilityType(p));
    return numbers;
  };
  const before = ctx.generator.getState();
  ctx.store.write(target, drawnIn(ctx, { dtype, shape }, draw(ctx.generator), draw, before));
  return target;
}

const notChances = () =>
  torchError(
    "RuntimeError",
    "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
  );

const probabilityType = (p: Tensor): FloatType => floatTypeOf("bernoulli_tensor_cpu_p_", p.dtype);

export const bernoulli = torchCall({
  name: "bernoulli",
  in: ["torch", "Tensor"],
  params: { input: tensor, p: optional(float), generator },
  moves: true,
  build: (ctx, { input, p }) => {
    const made = unfilled(ctx, input.shape, { dtype: input.dtype, isComplex: false });
    if (p !== null) return fillRandom(ctx, made, "bernoulli", { p, dtype: input.dtype });
    return writeBernoulli(ctx, made, input);
  },
});

/** normal(mean, std) with a tensor for either, and normal(mean, std, size). */
export const normal = torchCall({
  name: "normal",
  in: ["torch"],
  params: {
    mean: operand,
    std: withDefault(operand, { kind: "float", value: 1 }),
    size: optional(ints),
    dtype: anyDtype,
    generator,
  },
  build: (ctx, { mean, std, size, dtype }) => {
    if (!isTensor(mean) && !isTensor(std)) {
      refuseNegative("normal", std.value);
      const type = floatType(ctx, dtype);
      return fillRandom(ctx, unfilled(ctx, size ?? [], type), "normal", {
        mean: mean.value,
        std: std.value,
        dtype: floatTypeOf("normal", type.dtype),
      });
    }
    const type = ctx.promote(...[mean, std].filter(isTensor));
    const shape = ctx.emit.op("Add", [ctx.as(mean, type), ctx.as(std, type)]).shape;
    const unit = fillRandom(
      ctx,
      unfilled(ctx, shape, heldAs(type)),
      "normal",
      normal01(heldAs(type)),
    );
    const scaled = ctx.emit.op("Mul", [ctx.store.read(unit), ctx.as(std, type)]);
    return { typed: ctx.emit.op("Add", [scaled, ctx.as(mean, type)]), as: type };
  },
});

export const multinomial = torchCall({
  name: "multinomial",
  in: ["torch", "Tensor"],
  params: { input: tensor, num_samples: int, replacement: withDefault(bool, false), generator },
  build: (ctx, { input, num_samples, replacement }) => {
    const rows = input.shape.length === 2 ? (input.shape[0] as number) : 1;
    const numbers = drawMultinomial(ctx.generator, {
      weights: ctx.store.numbers(input),
      rows,
      samples: num_samples,
      replacement,
      dtype: floatTypeOf("multinomial", input.dtype),
    });
    const shape = input.shape.length === 2 ? [rows, num_samples] : [num_samples];
    return ctx.store.fromNumbers(int64, shape, numbers);
  },
});
