/** Products with something added: linear layers and the addmm family. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { numel, sameShape } from "../../graph/tensor.ts";
import { expandTo, reshapeTo, transpose } from "../../ops/write.ts";
import { optional, type Scalar, scalar, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { type TorchType, typeOf } from "../promotion.ts";
import { rounded, roundsSteps } from "../rounding.ts";
import { isContiguous, type Tensor } from "../tensor.ts";
import { outputMisfit } from "../views.ts";
import { underivable } from "./derivatives.ts";
import { isFoldable } from "./keptFactors.ts";
import { needBatches } from "./matmul.ts";
import {
  broadcastBatch,
  isOfNothing,
  matrixMisfit,
  matrixVectorMisfit,
  nativeName,
  needExpandable,
  needRank,
  needSameType,
  typeName,
} from "./matmulErrors.ts";
import { affine, multiply } from "./matrices.ts";

const both = ["torch", "Tensor"] as const;

/** x · weightᵀ + bias */
export const linear = torchCall({
  name: "linear",
  in: ["torch.nn.functional"],
  params: { input: tensor, weight: tensor, bias: optional(tensor) },
  saves: ({ input }) => (isFoldable(input) ? ["input", "weight"] : ["weight"]),
  savesFor: { input: ["weight"], weight: ["input"] },
  build: (ctx, { input, weight, bias }) => {
    refuseMisfit(input, weight, bias);
    const type = typeOf(input);
    const [x, w] = [ctx.as(input, type), ctx.as(weight, type)];
    const isAddedLater = bias !== null && addsLater(input, bias);
    if (bias === null || (!isAddedLater && (isOneProduct(input) || !roundsSteps(type))))
      return { typed: affine(ctx.emit, x, w, bias && ctx.as(bias, type)), as: type };
    const product = rounded(ctx.emit, affine(ctx.emit, x, w, null), type);
    return { typed: ctx.emit.op("Add", [product, ctx.as(bias, type)]), as: type };
  },
});

/** Whether PyTorch adds the bias within the product of matrices: elsewhere half precision rounds both. */
const isOneProduct = ({ shape, strides }: Tensor): boolean =>
  shape.length <= 2 || isContiguous(shape, strides);

function refuseMisfit(input: Tensor, weight: Tensor, bias: Tensor | null): void {
  if (weight.shape.length === 1 && bias !== null)
    throw torchError("RuntimeError", "addmm: mat2 must be a matrix, got 1-D tensor");
  const rows = numel(input.shape.slice(0, -1));
  const k = input.shape.at(-1) as number;
  const inner = weight.shape.at(-1) as number;
  const columns = weight.shape.length === 1 ? 1 : (weight.shape[0] as number);
  if (k !== inner) throw matrixMisfit(bias === null ? "mm" : "addmm", [rows, k], [inner, columns]);
  if (bias === null) needSameType(input, weight);
  else {
    needTypeOfMatrix("self and mat2", bias, weight);
    needTypeOfMatrix("mat1 and mat2", input, weight);
  }
  if (bias === null) return;
  if (addsLater(input, bias)) needAddable(bias, [...input.shape.slice(0, -1), columns]);
  else needExpandable(bias, [rows, columns]);
}

/** What is no row is added to the product as it is shaped then, in place. */
const addsLater = (input: Tensor, bias: Tensor): boolean =>
  bias.shape.length > 1 && input.shape.length !== 2;

function needAddable(bias: Tensor, shape: readonly number[]): void {
  const made = broadcastBatch(shape, bias.shape);
  if (!sameShape(made, shape)) throw outputMisfit(shape, made);
}

function needTypeOfMatrix(what: string, other: Tensor, matrix: Tensor): void {
  if (typeOf(other) === typeOf(matrix)) return;
  throw torchError(
    "RuntimeError",
    `${what} must have the same dtype, but got ${typeName(other)} and ${typeName(matrix)}`,
    "Convert one of them with .to(dtype)",
  );
}

/** yₒ = x1ᵀ · weightₒ · x2 + biasₒ */
export const bilinear = torchCall({
  name: "bilinear",
  in: ["torch", "torch.nn.functional"],
  params: { input1: tensor, input2: tensor, weight: tensor, bias: optional(tensor) },
  savesOf({ input1, input2, weight }, requiresGrad) {
    const factors = [input1, input2, weight];
    const needs = (factor: Tensor) => factors.some((it) => it !== factor && requiresGrad(it));
    // PyTorch makes rows of the inputs first: a copy, where they are no view.
    return factors.filter((factor) => needs(factor) && (factor === weight || isFoldable(factor)));
  },
  build: (ctx, { input1, input2, weight, bias }) => {
    const { emit } = ctx;
    const [out, size1, size2] = weight.shape as [number, number, number];
    needFeatures(input1, size1, 1);
    needFeatures(input2, size2, 2);
    const type = typeOf(input1);
    const low = type === "float32" ? (ctx.autocast ?? type) : type;
    const rows = (x: Tensor, size: number) => reshapeTo(emit, ctx.as(x, type), [-1, size]);
    const factors = [rows(input1, size1), rows(input2, size2), ctx.as(weight, type)] as const;
    const made = productOfThree(emit, factors, low);
    const y = reshapeTo(emit, made, [...input1.shape.slice(0, -1), out]);
    return { typed: bias ? emit.op("Add", [y, ctx.as(bias, type)]) : y, as: type };
  },
});

/** dWₒᵢⱼ = Σₙ dₙₒ x₁ₙᵢ x₂ₙⱼ, as one product of matrices: of no rows it is 0. */
function slopeOfWeight(
  backward: Emit,
  d: Value,
  [x1, x2]: readonly [Value, Value],
  shape: readonly number[],
): Value {
  const column = reshapeTo(backward, x1, [...x1.shape, 1]);
  const row = reshapeTo(backward, x2, [x2.shape[0] as number, 1, x2.shape[1] as number]);
  const outer = backward.op("Mul", [column, row]);
  const pairs = reshapeTo(backward, outer, [x1.shape[0] as number, numel(outer.shape.slice(1))]);
  return reshapeTo(backward, backward.op("MatMul", [transpose(backward, d, [1, 0]), pairs]), shape);
}

/**
 * Σᵢⱼ x₁ₙᵢ Wₒᵢⱼ x₂ₙⱼ: by one input, then by the other. Both products are rounded to `low`; under
 * autocast those of the backward pass, which runs outside of it, are not.
 */
function productOfThree(
  emit: CallContext["emit"],
  [x1, x2, w]: readonly [Value, Value, Value],
  low: TorchType,
): Value {
  const [y] = emit.grouped(
    [x1, x2, w],
    () => {
      const [a, b, c] = [x1, x2, w].map((x) => rounded(emit, x, low)) as [Value, Value, Value];
      return [rounded(emit, byBoth(emit, a, b, c, low), low)];
    },
    (backward, [d]) => {
      if (!d) return [null];
      const einsum = (equation: string, inputs: readonly Value[]) =>
        backward.op("Einsum", inputs, { equation });
      return [
        einsum("noi,no->ni", [einsum("nj,oij->noi", [x2, w]), d]),
        einsum("noj,no->nj", [einsum("ni,oij->noj", [x1, w]), d]),
        slopeOfWeight(backward, d, [x1, x2], w.shape),
      ];
    },
  );
  return y as Value;
}

function byBoth(emit: Emit, x1: Value, x2: Value, w: Value, low: TorchType): Value {
  const [out, size1, size2] = w.shape as [number, number, number];
  const matrix = reshapeTo(emit, transpose(emit, w, [1, 0, 2]), [size1, out * size2]);
  const between = rounded(emit, emit.op("MatMul", [x1, matrix]), low);
  const column = emit.op("Unsqueeze", [x2, emit.ints([-1])]);
  const y = emit.op("MatMul", [reshapeTo(emit, between, [-1, out, size2]), column]);
  return emit.op("Squeeze", [y, emit.ints([-1])]);
}

function needFeatures(input: Tensor, size: number, at: number): void {
  const found = input.shape.at(-1);
  if (found !== size)
    throw torchError(
      "RuntimeError",
      `bilinear(): input${at} size does not match weight size: got ${found} but expected ${size}`,
    );
}

const one: Scalar = { kind: "int", value: 1 };
const factors = { beta: withDefault(scalar, one), alpha: withDefault(scalar, one) };
type Factors = { readonly beta: Scalar; readonly alpha: Scalar };

/** beta · input + alpha · product; with beta 0 not even NaN passes from `input`. */
function combined(
  ctx: CallContext,
  input: Tensor,
  product: Value,
  { beta, alpha }: Factors,
  type: TorchType,
): Typed {
  const { emit } = ctx;
  needExpandable(input, product.shape);
  const scaled = (x: Value, factor: Scalar) =>
    factor.value === 1 ? x : emit.op("Mul", [x, ctx.as(factor, type)]);
  const right = scaled(product, alpha);
  const x = ctx.as(input, type);
  const typed =
    beta.value === 0 ? besideNothing(emit, x, right) : emit.op("Add", [scaled(x, beta), right]);
  return { typed, as: type };
}

/** `right`; in PyTorch's graph 0 · x has a part in it all the same: its gradient is d · 0, NaN of infinities. */
function besideNothing(emit: CallContext["emit"], x: Value, right: Value): Value {
  if (!x.requiresGrad || !emit.gradMode) return right;
  const [made] = emit.grouped(
    [expandTo(emit, x, right.shape), right],
    () => [emit.op("Identity", [right])],
    (backward, [d]) => (d ? [backward.op("Mul", [d, backward.scalar(0, d.dtype)]), d] : [null]),
  );
  return made as Value;
}

export const addmm = torchCall({
  name: "addmm",
  in: both,
  params: { input: tensor, mat1: tensor, mat2: tensor, ...factors },
  inPlace: true,
  savesFor: { mat1: ["mat2"], mat2: ["mat1"] },
  build: (ctx, { input, mat1, mat2, beta, alpha }) => {
    needRank("addmm: mat1 must be a matrix", mat1, 2);
    needRank("addmm: mat2 must be a matrix", mat2, 2);
    const [rows, k] = mat1.shape as [number, number];
    const [inner, columns] = mat2.shape as [number, number];
    if (k !== inner) throw matrixMisfit("addmm", [rows, k], [inner, columns]);
    needTypeOfMatrix("self and mat2", input, mat2);
    needSameType(mat1, mat2);
    const type = typeOf(mat1);
    if (!isOfNothing(mat1, mat2)) refuseKinds("addmm_impl_cpu_", type, ["bool"]);
    const product = multiply(ctx.emit, ctx.as(mat1, type), ctx.as(mat2, type));
    return combined(ctx, input, product, { beta, alpha }, type);
  },
});

export const baddbmm = torchCall({
  name: "baddbmm",
  in: both,
  params: { input: tensor, batch1: tensor, batch2: tensor, ...factors },
  inPlace: true,
  savesFor: { batch1: ["batch2"], batch2: ["batch1"] },
  build: (ctx, { input, batch1, batch2, beta, alpha }) => {
    needBatches(batch1, batch2);
    needTypesOfBatches(input, batch1, batch2);
    const type = typeOf(batch2);
    if (ctx.inPlace && type !== typeOf(input))
      throw torchError(
        "RuntimeError",
        `Bad in-place call: input tensor dtype ${nativeName(input)} and output tensor dtype ${nativeName(batch2)} should match`,
      );
    if (!isOfNothing(batch1, batch2)) refuseKinds("baddbmm", type, ["bool"]);
    const product = multiply(ctx.emit, ctx.as(batch1, type), ctx.as(batch2, type));
    return combined(ctx, input, product, { beta, alpha }, type);
  },
});

/** Of nothing the second batch may have a type of its own. */
function needTypesOfBatches(input: Tensor, batch1: Tensor, batch2: Tensor): void {
  const isFree = isOfNothing(batch1, batch2);
  if (typeOf(input) === typeOf(batch1) && (isFree || typeOf(batch1) === typeOf(batch2))) return;
  throw torchError(
    "RuntimeError",
    `Input dtypes must be the same, got: input ${nativeName(input)}, batch1: ${nativeName(batch1)}, batch2: ${nativeName(batch2)}`,
  );
}

/** The products of all pairs, summed over the batch. */
export const addbmm = torchCall({
  name: "addbmm",
  in: both,
  params: { input: tensor, batch1: tensor, batch2: tensor, ...factors },
  inPlace: true,
  savesFor: { batch1: ["batch2"], batch2: ["batch1"] },
  build: (ctx, { input, batch1, batch2, beta, alpha }) => {
    const { emit } = ctx;
    needBatches(batch1, batch2);
    needTypeOfMatrix("self and mat2", input, batch2);
    needTypeOfMatrix("mat1 and mat2", batch1, batch2);
    const type = typeOf(batch1);
    if (!isOfNothing(batch1, batch2)) refuseKinds("addmm_impl_cpu_", type, ["bool"]);
    const products = multiply(emit, ctx.as(batch1, type), ctx.as(batch2, type));
    const sum = emit.op("ReduceSum", [products, emit.ints([0])], { keepdims: 0 });
    return combined(ctx, input, sum, { beta, alpha }, type);
  },
});

export const addmv = torchCall({
  name: "addmv",
  in: both,
  params: { input: tensor, mat: tensor, vec: tensor, ...factors },
  inPlace: true,
  savesFor: { mat: ["vec"], vec: ["mat"] },
  build: (ctx, { input, mat, vec, beta, alpha }) => {
    const [rows, k] = mat.shape as [number, number];
    const length = vec.shape[0] as number;
    const given = input.shape[0] ?? 1;
    if (k !== length || (given !== rows && given !== 1))
      throw matrixVectorMisfit(given, rows, k, length);
    if ([input, mat, vec].some((x) => typeOf(x) !== typeOf(mat)))
      throw torchError(
        "RuntimeError",
        `addmv input tensors must have the same dtype, but got ${[input, mat].map(typeName).join(", ")}, and ${typeName(vec)}`,
      );
    const type = typeOf(mat);
    if (!isOfNothing(mat, vec)) refuseKinds("addmv_impl_cpu", type, ["bool"]);
    const product = multiply(ctx.emit, ctx.as(mat, type), ctx.as(vec, type));
    return combined(ctx, input, product, { beta, alpha }, type);
  },
});

/** PyTorch's gradient of each vector is a matrix of the type of the result times the other. */
function refuseMixedGradients(
  { emit, store }: CallContext,
  product: Value,
  [vec1, vec2]: readonly [Tensor, Tensor],
  type: TorchType,
): Value {
  const refused = [typeOf(vec2) === type ? [] : [vec1], typeOf(vec1) === type ? [] : [vec2]].flat();
  const text = "addmv input tensors must have the same dtype";
  return underivable(emit, product, refused.map(store.read), torchError("RuntimeError", text));
}

/** beta · input + alpha · (vec1 ⊗ vec2) */
export const addr = torchCall({
  name: "addr",
  in: both,
  params: { input: tensor, vec1: tensor, vec2: tensor, ...factors },
  inPlace: true,
  savesFor: { vec1: ["vec2"], vec2: ["vec1"] },
  build: (ctx, { input, vec1, vec2, beta, alpha }) => {
    const type = ctx.promote(input, vec1, vec2);
    const column = ctx.emit.op("Unsqueeze", [ctx.as(vec1, type), ctx.emit.ints([1])]);
    if (type === "bool") {
      const both = ctx.emit.op("And", [column, ctx.as(vec2, type)]);
      const chosen = ctx.emit.op("And", [both, ctx.as(alpha, type)]);
      const kept = ctx.emit.op("And", [ctx.as(input, type), ctx.as(beta, type)]);
      return { typed: ctx.emit.op("Or", [kept, chosen]), as: type };
    }
    const product = refuseMixedGradients(
      ctx,
      ctx.emit.op("Mul", [column, ctx.as(vec2, type)]),
      [vec1, vec2],
      type,
    );
    return combined(ctx, input, product, { beta, alpha }, type);
  },
});
