/** Scaled dot-product attention: softmax(q · kᵀ · scale + mask) · v, Vaswani et al. 2017, https://arxiv.org/abs/1706.03762 */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { type DType, isFloat, isHalf, numel, sameShape } from "../../graph/tensor.ts";
import { expandTo, reshapeTo, swapLastTwo } from "../../ops/write.ts";
import { bool, float, keyword, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { preservedStrides } from "../layout/strides.ts";
import { inGradMode } from "../passThrough.ts";
import { computeType, typeOf } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import type { Store } from "../storeTypes.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { outputMisfit } from "../views.ts";
import { type AttentionMask, causalMask, readMask } from "./attentionMask.ts";
import { dropoutMask } from "./dropout.ts";
import { type HalfWeights, halfWeights, overBlocks } from "./halfAttention.ts";
import { isBatchAsItLies } from "./keptFactors.ts";
import { batchMisfit, broadcastBatch, nativeName } from "./matmulErrors.ts";

export const scaledDotProductAttention = torchCall({
  name: "scaled_dot_product_attention",
  in: ["torch.nn.functional"],
  params: {
    query: tensor,
    key: tensor,
    value: tensor,
    attn_mask: optional(tensor),
    dropout_p: withDefault(float, 0),
    is_causal: withDefault(bool, false),
    scale: keyword(optional(float)),
    enable_gqa: keyword(withDefault(bool, false)),
  },
  saves: (args, requiresGrad) => {
    if (!isFused(args, requiresGrad)) return isValueKept(args, requiresGrad) ? ["value"] : [];
    // Of truths PyTorch makes a mask that is added.
    const mask = args.attn_mask?.dtype === "bool" ? [] : (["attn_mask"] as const);
    return ["query", "key", "value", ...mask, "result"];
  },
  build: (ctx, args) => {
    const { query, key, value, attn_mask, dropout_p, is_causal, enable_gqa } = args;
    refuseTypes(query, key, value, attn_mask, is_causal);
    const scale = args.scale ?? 1 / Math.sqrt(query.shape.at(-1) as number);
    const shared = enable_gqa ? sharedHeads(query, key, value) : 1;
    refuseShapes(query, key, attn_mask, shared);
    const [queries, keys] = [query.shape.at(-2) as number, key.shape.at(-2) as number];
    const q = ctx.read(query);
    const mask = is_causal
      ? causalMask(ctx.emit, q.dtype, queries, keys)
      : attn_mask && readMask(ctx, attn_mask, q.dtype);
    const halfType =
      isHalf(query.dtype) && isFused(args, ctx.store.requiresGrad) ? query.dtype : null;
    const from = { k: ctx.read(key), v: ctx.read(value) };
    const own = (x: Value) => (halfType ? headsOfQueries(ctx, x, shared) : x);
    const result = attend(ctx, { q, k: own(from.k), v: own(from.v), from }, mask, {
      scale,
      shared: halfType ? 1 : shared,
      repeats: halfType ? shared : 1,
      halfType,
      seen: is_causal ? Math.min(queries, keys) : keys,
      keep: dropout_p > 0 ? (shape) => dropped(ctx, query, shape, dropout_p) : null,
    });
    return { typed: result, as: query.dtype, strides: stridesOf(ctx, args) };
  },
});

/** Each head as often as queries share it, unseen by autograd. */
function headsOfQueries({ emit }: CallContext, x: Value, shared: number): Value {
  if (shared === 1) return x;
  return inGradMode(emit, false, () => repeatHeads(emit, x, shared));
}

function repeatHeads(emit: Emit, x: Value, shared: number): Value {
  const [heads, rows, width] = x.shape.slice(-3) as [number, number, number];
  const batch = x.shape.slice(0, -3);
  const column = reshapeTo(emit, x, [...batch, heads, 1, rows, width]);
  const spread = expandTo(emit, column, [...batch, heads, shared, rows, width]);
  return reshapeTo(emit, spread, [...batch, heads * shared, rows, width]);
}

interface AttentionInput {
  readonly query: Tensor;
  readonly key: Tensor;
  readonly value: Tensor;
  readonly attn_mask: Tensor | null;
  readonly dropout_p: number;
  readonly enable_gqa: boolean;
}

/** Whether PyTorch's kernel that fuses it all takes this. */
const isFused = (input: AttentionInput, requiresGrad: Store["requiresGrad"]): boolean =>
  isTakenWhole(input) && !(input.attn_mask && requiresGrad(input.attn_mask));

/** Elsewhere the weights meet the value as it lies, if its heads need no copy to be one batch. */
function isValueKept(
  { query, key, value, attn_mask, enable_gqa }: AttentionInput,
  requiresGrad: Store["requiresGrad"],
): boolean {
  const ofWeights = [query, key, ...(attn_mask ? [attn_mask] : [])];
  if (enable_gqa || !ofWeights.some(requiresGrad)) return false;
  const batches = [query, key, value].map(({ shape }) => shape.slice(0, -2));
  return isBatchAsItLies(value, batches.reduce(broadcastBatch));
}

/** As far as shapes say: what it does not take is computed step by step, of scaled copies. */
function isTakenWhole({ query, key, value, dropout_p }: AttentionInput): boolean {
  const heads = [query, key, value];
  return (
    dropout_p === 0 &&
    heads.every(({ shape }) => shape.length === 3 || shape.length === 4) &&
    heads.every(({ shape }) => shape.at(-1) === query.shape.at(-1)) &&
    heads.every(({ shape }) => shape.length < 4 || shape[0] === query.shape[0]) &&
    heads.every(({ strides }) => strides.at(-1) === 1)
  );
}

/** The fused kernel writes in the order of the query; what it does not take is written by rows. */
const stridesOf = (ctx: CallContext, input: AttentionInput): readonly number[] | null =>
  isFused(input, ctx.store.requiresGrad) ? preservedStrides(input.query) : null;

/** 0 or 1 / (1 − p) for each weight, drawn as PyTorch draws it: weights of half precision are wide. */
function dropped(ctx: CallContext, like: Tensor, shape: readonly number[], p: number): Value {
  const type = { dtype: computeType(like.dtype), isComplex: false };
  return dropoutMask(ctx, ctx.store.fromNumbers(type, shape, null), p);
}

interface Heads {
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
  /** What gradients of keys and values go to. */
  readonly from: { readonly k: Value; readonly v: Value };
}

interface Plan {
  readonly scale: number;
  /** How many heads of queries share one of keys and values. */
  readonly shared: number;
  /** How many heads of keys and values are copies of one. */
  readonly repeats: number;
  /** The half precision that the fused kernel has its second factors in; null: it is not taken. */
  readonly halfType: DType | null;
  /** Keys that some query sees. */
  readonly seen: number;
  /** Factors of the weights, for dropout. */
  readonly keep: ((shape: readonly number[]) => Value) | null;
}

function attend(ctx: CallContext, heads: Heads, mask: AttentionMask | null, plan: Plan): Value {
  const { emit } = ctx;
  const { q, k, v, from } = heads;
  const folded = foldedShape(q.shape, plan.shared);
  const logitShape = [
    ...broadcastBatch(q.shape.slice(0, -2), repeated(k.shape.slice(0, -2), plan.shared)),
    q.shape.at(-2) as number,
    k.shape.at(-2) as number,
  ];
  const times = (to: Emit, x: Value, factor: number) =>
    factor === 1 ? x : to.op("Mul", [x, to.scalar(factor, x.dtype)]);
  const scaled = (to: Emit) => reshapeTo(to, times(to, q, plan.scale), folded);
  const kept: { rows: Value; weights: Value; result: Value; factors: Value | null } = {
    rows: q,
    weights: q,
    result: q,
    factors: null,
  };
  const added = mask?.added ?? null;
  const made = emit.grouped(
    [q, from.k, from.v, ...(added ? [added] : [])],
    () => {
      kept.rows = scaled(emit);
      const raw = emit.op("MatMul", [kept.rows, swapLastTwo(emit, k)]);
      const products = reshapeTo(emit, raw, logitShape);
      const logits = added ? emit.op("Add", [products, added]) : products;
      const half = halfOf(logits);
      kept.weights = half ? half.weights : weightsOf(emit, logits, mask);
      const scores = mask?.onlyHides === false ? null : products;
      ctx.noteAttention({ weights: kept.weights, logits, scores });
      kept.factors = plan.keep?.(kept.weights.shape) ?? null;
      kept.result = half ? emit.op("Mul", [mixed(half.powers), half.share]) : mixed(kept.weights);
      return [kept.result];
    },
    (backward, [d]) => (d ? gradients(backward, d) : []),
  );
  return made[0] as Value;

  function halfOf(logits: Value): HalfWeights | null {
    if (plan.halfType === null || numel(logits.shape) === 0) return null;
    const mayBeNothing = mask?.mayLeaveNothing ?? false;
    return halfWeights(emit, logits, plan.seen, mayBeNothing, plan.halfType);
  }

  function mixed(weights: Value): Value {
    const chosen = kept.factors ? emit.op("Mul", [weights, kept.factors]) : weights;
    const flat = reshapeTo(emit, chosen, foldedShape(chosen.shape, plan.shared));
    const out = emit.op("MatMul", [flat, v]);
    const batch = broadcastBatch(
      chosen.shape.slice(0, -2),
      repeated(v.shape.slice(0, -2), plan.shared),
    );
    return reshapeTo(emit, out, [
      ...batch,
      chosen.shape.at(-2) as number,
      v.shape.at(-1) as number,
    ]);
  }

  function gradients(backward: Emit, d: Value): (Value | null)[] {
    const { weights, result, factors } = kept;
    const dRows = reshapeTo(backward, d, foldedShape(d.shape, plan.shared));
    const chosen = factors ? backward.op("Mul", [weights, factors]) : weights;
    const flat = asFactor(
      backward,
      reshapeTo(backward, chosen, foldedShape(chosen.shape, plan.shared)),
    );
    // dVᵀ = dOᵀ · P: the transposes are of [keys, width] rather than of [queries, keys].
    const dv = from.v.requiresGrad
      ? swapLastTwo(backward, overQueries(backward, swapLastTwo(backward, dRows), flat))
      : null;
    const needsLogits = q.requiresGrad || from.k.requiresGrad || added?.requiresGrad;
    if (!needsLogits) return [null, null, dv];
    const raw = backward.op("MatMul", [dRows, swapLastTwo(backward, v)]);
    const dChosen = reshapeTo(backward, raw, chosen.shape);
    const dWeights = factors ? backward.op("Mul", [dChosen, factors]) : dChosen;
    // dS = P · (dP − Σ dP · P), and the sum is that of dO · O.
    const sum = backward.op("ReduceSum", [
      backward.op("Mul", [d, asFactor(backward, result)]),
      backward.ints([d.shape.length - 1]),
    ]);
    const dLogits = backward.op("Mul", [weights, backward.op("Sub", [dWeights, sum])]);
    const dFlat = asFactor(
      backward,
      reshapeTo(backward, dLogits, foldedShape(dLogits.shape, plan.shared)),
    );
    const dq = q.requiresGrad ? dQuery(backward, dFlat) : null;
    const dk = from.k.requiresGrad
      ? swapLastTwo(backward, overQueries(backward, transposedRows(backward), dFlat))
      : null;
    return [dq, dk, dv, dLogits];
  }

  function asFactor(backward: Emit, x: Value): Value {
    return plan.halfType ? rounded(backward, x, plan.halfType) : x;
  }

  function overQueries(backward: Emit, left: Value, right: Value): Value {
    return plan.halfType
      ? overBlocks(backward, left, right, plan.repeats, plan.halfType)
      : backward.op("MatMul", [left, right]);
  }

  /** Transposed before it is scaled, q may be turned but once from where it comes from. */
  function transposedRows(backward: Emit): Value {
    if (plan.shared > 1) return swapLastTwo(backward, kept.rows);
    return times(backward, swapLastTwo(backward, q), plan.scale);
  }

  function dQuery(backward: Emit, dFlat: Value): Value {
    const dRows = backward.op("MatMul", [dFlat, k]);
    const batch = dFlat.shape.slice(0, -2);
    const unfolded =
      plan.shared === 1
        ? dRows.shape
        : [
            ...batch.slice(0, -1),
            (batch.at(-1) as number) * plan.shared,
            q.shape.at(-2) as number,
            q.shape.at(-1) as number,
          ];
    return times(backward, reshapeTo(backward, dRows, unfolded), plan.scale);
  }
}

/** Rows that the mask leaves nothing are 0, not NaN. */
function weightsOf(emit: Emit, logits: Value, mask: AttentionMask | null): Value {
  if (numel(logits.shape) === 0) return logits;
  const weights = emit.op("Softmax", [logits], { axis: -1 });
  if (!mask?.mayLeaveNothing) return weights;
  const most = emit.op("ReduceMax", [mask.added, emit.ints([-1])], { keepdims: 1 });
  const nothing = emit.op("Equal", [most, emit.scalar(Number.NEGATIVE_INFINITY, most.dtype)]);
  return emit.op("Where", [nothing, emit.scalar(0, weights.dtype), weights]);
}

/** [heads, rows, …] as [heads / shared, shared · rows, …]: heads that share keys become rows of one. */
function foldedShape(shape: readonly number[], shared: number): readonly number[] {
  if (shared === 1) return shape;
  const [heads, rows, width] = shape.slice(-3) as [number, number, number];
  return [...shape.slice(0, -3), heads / shared, rows * shared, width];
}

const repeated = (batch: readonly number[], shared: number): readonly number[] =>
  shared === 1 ? batch : [...batch.slice(0, -1), (batch.at(-1) as number) * shared];

function sharedHeads(query: Tensor, key: Tensor, value: Tensor): number {
  const heads = query.shape.at(-3) ?? 1;
  const [ofKeys, ofValues] = [key.shape.at(-3) ?? 1, value.shape.at(-3) ?? 1];
  if (heads % ofKeys !== 0 || heads % ofValues !== 0)
    throw torchError(
      "RuntimeError",
      "Number of heads in key and value must divide the number of heads in query",
    );
  if (ofKeys !== ofValues)
    throw torchError("UnsupportedCall", "enable_gqa with different heads of keys and values");
  return heads / ofKeys;
}

function refuseTypes(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  mask: Tensor | null,
  isCausal: boolean,
): void {
  if ([query, key, value].some((tensor) => tensor.shape.length < 2))
    throw torchError(
      "RuntimeError",
      `Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ${query.shape.length} key.dim: ${key.shape.length} and value.dim: ${value.shape.length} instead.`,
    );
  if (typeOf(query) !== typeOf(key) || typeOf(query) !== typeOf(value))
    throw torchError(
      "RuntimeError",
      `Expected query, key, and value to have the same dtype, but got query.dtype: ${nativeName(query)} key.dtype: ${nativeName(key)} and value.dtype: ${nativeName(value)} instead.`,
    );
  if (!isFloat(query.dtype))
    throw torchError(
      "RuntimeError",
      `expected scalar type Float but found ${cppName(typeOf(query))}`,
    );
  if (mask === null) return;
  if (isCausal)
    throw torchError(
      "RuntimeError",
      "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
    );
  if (mask.dtype !== "bool" && mask.dtype !== query.dtype && mask.dtype !== "float32")
    throw torchError(
      "RuntimeError",
      `Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ${nativeName(mask)} and  query.dtype: ${nativeName(query)} instead.`,
    );
}

function refuseShapes(query: Tensor, key: Tensor, mask: Tensor | null, shared: number): void {
  const batch = broadcastBatch(query.shape.slice(0, -2), repeated(key.shape.slice(0, -2), shared));
  const [width, found] = [query.shape.at(-1) as number, key.shape.at(-1) as number];
  if (width !== found) throw batchMisfit([numel(batch), width], [numel(batch), found], false);
  if (mask === null) return;
  const logits = [...batch, query.shape.at(-2) as number, key.shape.at(-2) as number];
  const masked = broadcastBatch(logits, mask.shape);
  if (sameShape(masked, logits)) return;
  const shown = (shape: readonly number[]) =>
    logits.length === 3 && shape.length === 3 ? [1, ...shape] : shape;
  throw outputMisfit(shown(logits), shown(masked));
}
