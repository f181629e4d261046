/** Softmax and its logarithm. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { type DTypeArg, dtype, int, keyword, optional, tensor } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { cppName } from "../dispatch.ts";
import { isComplexType } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { wrapDim } from "../views.ts";
import { askedType } from "./reduction.ts";

const everywhere = ["torch", "Tensor", "torch.nn.functional", "torch.special"] as const;
const params = {
  input: tensor,
  dim: optional(int),
  dtype: optional(dtype),
  _stacklevel: keyword(optional(int)),
};

/** Where no axis is named: the first of 0, 1 or 3 axes, else the second. */
const impliedAxis = (rank: number): number => (rank === 0 || rank === 1 || rank === 3 ? 0 : 1);

function alongAxis(
  ctx: CallContext,
  op: "Softmax" | "LogSoftmax",
  input: Tensor,
  dim: number | null,
  asked: DTypeArg | null,
  negate = false,
): Typed {
  const { emit } = ctx;
  const rank = input.shape.length;
  const axis = wrapDim(dim ?? impliedAxis(rank), rank);
  const type = askedType(asked, input);
  if (isComplexType(type) || !isFloat(type)) {
    const kernel = op === "Softmax" ? "softmax" : "log_softmax";
    const place = axis === Math.max(rank - 1, 0) ? "_lastdim" : "";
    throw torchError(
      "NotImplementedError",
      `"${kernel}${place}_kernel_impl" not implemented for '${cppName(type)}'`,
    );
  }
  const given = ctx.as(input, type);
  const x = negate ? emit.op("Neg", [given]) : given;
  return { typed: write(x), as: type };

  function write(x: Value): Value {
    if (numel(x.shape) === 0) return emit.op("Identity", [x]);
    if (rank > 0) return emit.op(op, [x], { axis });
    const flat = emit.op("Reshape", [x, emit.ints([1])]);
    return emit.op("Reshape", [emit.op(op, [flat], { axis: 0 }), emit.ints([])]);
  }
}

export const softmax = torchCall({
  name: "softmax",
  in: everywhere,
  params,
  saves: ["result"],
  build: (ctx, { input, dim, dtype }) => alongAxis(ctx, "Softmax", input, dim, dtype),
});

export const logSoftmax = torchCall({
  name: "log_softmax",
  in: everywhere,
  params,
  saves: ["result"],
  build: (ctx, { input, dim, dtype }) => alongAxis(ctx, "LogSoftmax", input, dim, dtype),
});

export const softmin = torchCall({
  name: "softmin",
  in: ["torch.nn.functional"],
  params,
  saves: ["result"],
  build: (ctx, { input, dim, dtype }) => alongAxis(ctx, "Softmax", input, dim, dtype, true),
});
