/** Products of more than two matrices. */
import { torchError } from "../../errors.ts";
import { type Param, tensors } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { nativeName, sizeText } from "./matmulErrors.ts";
import { multiply } from "./matrices.ts";

/** Left to right, or in the order of fewest multiplications: the numbers are the same. */
function chain(ctx: CallContext, factors: readonly Tensor[]): Typed {
  const [first, ...others] = factors as [Tensor, ...Tensor[]];
  const type = typeOf(first);
  const typed = others.reduce(
    (x, factor) => multiply(ctx.emit, x, ctx.as(factor, type)),
    ctx.as(first, type),
  );
  return { typed, as: type };
}

/** Of the products of two that the chain is: each factor by itself beside one that requires a gradient. */
function savedFactors(
  factors: readonly Tensor[],
  requiresGrad: (tensor: Tensor) => boolean,
): Tensor[] {
  const split = cheapestSplits(factors);
  const saved: Tensor[] = [];
  /** Whether the product of factors `from` to `to` requires a gradient. */
  const visit = (from: number, to: number): boolean => {
    if (from === to) return requiresGrad(factors[from] as Tensor);
    const at = split(from, to);
    const [left, right] = [visit(from, at), visit(at + 1, to)];
    if (right && at === from) saved.push(factors[from] as Tensor);
    if (left && at + 1 === to) saved.push(factors[to] as Tensor);
    return left || right;
  };
  visit(0, factors.length - 1);
  return saved;
}

/**
 * After which factor PyTorch splits the product of factors `from` to `to`: matrix-chain order by
 * dynamic programming, CLRS 15.2; of three factors that cost the same the first two come first.
 */
function cheapestSplits(factors: readonly Tensor[]): (from: number, to: number) => number {
  const count = factors.length;
  const columns = factors.map(({ shape }, at) =>
    at > 0 && shape.length === 1 ? 1 : (shape.at(-1) ?? 1),
  );
  const [first] = factors as [Tensor, ...Tensor[]];
  const sizes = [first.shape.length === 1 ? 1 : (first.shape[0] ?? 1), ...columns];
  const size = (at: number) => sizes[at] as number;
  const costs = new Map<string, { cost: number; at: number }>();
  const best = (from: number, to: number): { cost: number; at: number } => {
    if (from === to) return { cost: 0, at: from };
    const key = `${from},${to}`;
    const known = costs.get(key);
    if (known) return known;
    let found = { cost: Number.POSITIVE_INFINITY, at: from };
    for (let at = from; at < to; at++) {
      const product = size(from) * size(at + 1) * size(to + 1);
      const cost = best(from, at).cost + best(at + 1, to).cost + product;
      const isBetter = cost < found.cost || (count === 3 && cost === found.cost);
      if (isBetter) found = { cost, at };
    }
    costs.set(key, found);
    return found;
  };
  return (from, to) => best(from, to).at;
}

function needEqualTypes(factors: readonly Tensor[]): void {
  const other = factors.findIndex((factor) => typeOf(factor) !== typeOf(factors[0] as Tensor));
  if (other > 0)
    throw torchError(
      "RuntimeError",
      `multi_dot(): all tensors must have be the same dtype but tensor 0 is ${nativeName(factors[0] as Tensor)} and tensor ${other} ${nativeName(factors[other] as Tensor)}`,
    );
}

export const multiDot = torchCall({
  name: "multi_dot",
  in: ["torch.linalg"],
  params: { tensors },
  savesOf: ({ tensors: factors }, requiresGrad) => savedFactors(factors, requiresGrad),
  build: (ctx, { tensors: factors }) => {
    if (factors.length < 2)
      throw torchError(
        "RuntimeError",
        `multi_dot(): expected at least 2 tensors but got ${factors.length}`,
      );
    needEqualTypes(factors);
    factors.slice(1).forEach((factor, at) => {
      const before = factors[at] as Tensor;
      if (before.shape.at(-1) !== factor.shape[0])
        throw torchError(
          "RuntimeError",
          `multi_dot(): tensors ${at} and ${at + 1} with shapes ${sizeText(before.shape)} and ${sizeText(factor.shape)} cannot be multiplied`,
        );
    });
    return chain(ctx, factors);
  },
});

const matrices: Param<readonly Tensor[]> = { ...tensors, rest: true };

export const chainMatmul = torchCall({
  name: "chain_matmul",
  in: ["torch"],
  params: { matrices },
  savesOf: ({ matrices: factors }, requiresGrad) => savedFactors(factors, requiresGrad),
  build: (ctx, { matrices: factors }) => {
    needEqualTypes(factors);
    return chain(ctx, factors);
  },
});
