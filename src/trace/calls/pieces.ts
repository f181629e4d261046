/** Flat views, splits along a fixed axis, and matrices turned over: short forms of other calls. */

import { torchError } from "../../errors.ts";
import { numel } from "../../graph/tensor.ts";
import { either, int, ints, tensor, tensors } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { liesIn } from "../layout/strides.ts";
import type { Tensor } from "../tensor.ts";
import { conj, conjugateView } from "./complex.ts";
import { hstack, tensorSplit, vstack } from "./join.ts";
import { copyOf, reshape, transpose } from "./shape.ts";

const both = ["torch", "Tensor"] as const;

export const ravel = torchCall({
  name: "ravel",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) =>
    reshape(
      ctx,
      liesIn("contiguous_format", input) ? input : copyOf(ctx, input, "contiguous_format"),
      [numel(input.shape)],
    ),
});

/** The conjugate transpose of the last two axes. */
export const adjoint = torchCall({
  name: "adjoint",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => {
    if (input.shape.length === 0) return conj.build(ctx, { input });
    if (input.shape.length === 1)
      throw torchError(
        "RuntimeError",
        "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.",
      );
    const turned = transpose.build(ctx, { input, dim0: -2, dim1: -1 }) as Tensor;
    return input.isComplex ? conjugateView(ctx.store, turned) : turned;
  },
});

/** tensor_split along one axis. */
function splitAlong(name: string, minRank: number, axisOf: (rank: number) => number) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, indices_or_sections: either(int, ints) },
    moves: true,
    build: (ctx, { input, indices_or_sections }) => {
      const rank = input.shape.length;
      if (rank < minRank)
        throw torchError(
          "RuntimeError",
          `torch.${name} requires a tensor with at least ${minRank} dimension, but got a tensor with ${rank} dimensions!`,
        );
      const dim = axisOf(rank);
      const size = input.shape[dim] as number;
      if (typeof indices_or_sections === "number" && size % indices_or_sections !== 0)
        throw torchError(
          "RuntimeError",
          `torch.${name} attempted to split along dimension ${dim}, but the size of the dimension ${size} is not divisible by the split_size ${indices_or_sections}!`,
        );
      return tensorSplit.build(ctx, { input, indices_or_sections, dim });
    },
  });
}
export const hsplit = splitAlong("hsplit", 1, (rank) => (rank === 1 ? 0 : 1));
export const vsplit = splitAlong("vsplit", 2, () => 0);
export const dsplit = splitAlong("dsplit", 3, () => 2);

/** Vectors as columns beside matrices. */
export const columnStack = torchCall({
  name: "column_stack",
  in: ["torch"],
  params: { tensors },
  moves: true,
  build: (ctx, { tensors: parts }) =>
    hstack.build(ctx, { tensors: parts.map((x) => asColumn(ctx, x)) }),
});

const asColumn = (ctx: CallContext, x: Tensor): Tensor =>
  x.shape.length < 2 ? reshape(ctx, x, [numel(x.shape), 1]) : x;

export const rowStack = torchCall({ ...vstack, name: "row_stack" });
