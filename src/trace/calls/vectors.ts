/** Products of vectors, and the sum of a diagonal. */
import { torchError } from "../../errors.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { reshapeTo } from "../../ops/write.ts";
import { int, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { isComplexType, typeOf } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { wrapAxis, wrapDim } from "../views.ts";
import { complexMultiply } from "./complexNumbers.ts";
import { contract } from "./contraction.ts";
import { productOf } from "./kernelSlopes.ts";
import { broadcastBatch } from "./matmulErrors.ts";
import { sumType } from "./reduction.ts";

const both = ["torch", "Tensor"] as const;

/** All products of an element of the one with an element of the other. */
export const outer = torchCall({
  name: "outer",
  in: both,
  params: { input: tensor, vec2: tensor },
  saves: ["input", "vec2"],
  savesForOthers: true,
  build: (ctx, { input, vec2 }) => {
    const { emit } = ctx;
    for (const [name, operand] of [["self", input] as const, ["vec2", vec2] as const])
      if (operand.shape.length !== 1)
        throw torchError(
          "RuntimeError",
          `outer: Expected 1-D argument ${name}, but got ${operand.shape.length}-D`,
        );
    const type = ctx.promote(input, vec2);
    const column = emit.op("Unsqueeze", [ctx.as(input, type), emit.ints([1])]);
    const row = ctx.as(vec2, type);
    if (isComplexType(type)) return { typed: complexMultiply(emit, column, row), as: type };
    return { typed: productOf(emit, column, row, type), as: type };
  },
});
export const ger = torchCall({ ...outer, name: "ger" });

/** x × y along an axis of size 3. */
function crossProduct(ctx: CallContext, x: Tensor, y: Tensor, dim: number): Typed {
  const { emit } = ctx;
  const type = ctx.promote(x, y);
  const [a, b] = [ctx.as(x, type), ctx.as(y, type)];
  const turned = (value: typeof a, order: readonly number[]) => {
    const axis = wrapDim(dim, value.shape.length);
    return emit.op("Gather", [value, emit.ints(order)], { axis });
  };
  const [first, second] = [
    [1, 2, 0],
    [2, 0, 1],
  ] as const;
  if (numel(a.shape) > 0) refuseKinds("cross", type, ["bool"]);
  const ahead = emit.op("Mul", [turned(a, first), turned(b, second)]);
  const behind = emit.op("Mul", [turned(a, second), turned(b, first)]);
  return { typed: emit.op("Sub", [ahead, behind]), as: type };
}

export const cross = torchCall({
  name: "cross",
  in: both,
  params: { input: tensor, other: tensor, dim: optional(int) },
  savesFor: { input: ["other"], other: ["input"] },
  build: (ctx, { input, other, dim }) => {
    const axis = dim ?? broadcastBatch(input.shape, other.shape).indexOf(3);
    if (dim === null && axis < 0)
      throw torchError("RuntimeError", "no dimension of size 3 in input");
    refuseLength(input, other, axis);
    return crossProduct(ctx, input, other, axis);
  },
});

export const linalgCross = torchCall({
  name: "cross",
  key: "linalg_cross",
  in: ["torch.linalg"],
  params: { input: tensor, other: tensor, dim: withDefault(int, -1) },
  savesFor: { input: ["other"], other: ["input"] },
  build: (ctx, { input, other, dim }) => {
    refuseLength(input, other, dim);
    return crossProduct(ctx, input, other, dim);
  },
});

function refuseLength(x: Tensor, y: Tensor, dim: number): void {
  if (x.shape.length !== y.shape.length)
    throw torchError(
      "RuntimeError",
      "linalg.cross: inputs must have the same number of dimensions.",
    );
  const [a, b] = [x, y].map(({ shape }) => shape[wrapAxis(dim, shape.length)]);
  if (a !== 3 || b !== 3)
    throw torchError(
      "RuntimeError",
      `linalg.cross: inputs dimension ${dim} must have length 3. Got ${a} and ${b}`,
    );
}

export const vecdot = torchCall({
  name: "vecdot",
  in: ["torch.linalg"],
  params: { input: tensor, other: tensor, dim: withDefault(int, -1) },
  saves: ["input", "other"],
  savesForOthers: true,
  build: (ctx, { input, other, dim }) => {
    const { emit } = ctx;
    const [type, others] = [typeOf(input), typeOf(other)];
    if (!isFloat(input.dtype))
      throw torchError(
        "NotImplementedError",
        `linalg.vecdot: Expected a floating point or complex tensor as input. Got ${cppName(type)}`,
      );
    if (type !== others)
      throw torchError(
        "RuntimeError",
        `linalg.vecdot: Expected x and y to have the same dtype, but found x of type ${cppName(type)} and y of type ${cppName(others)} instead`,
      );
    const rank = broadcastBatch(input.shape, other.shape).length;
    const products = emit.op("Mul", [ctx.as(input, type), ctx.as(other, type)]);
    const summands = rounded(emit, products, type);
    const axes = emit.ints([wrapDim(dim, rank)]);
    return { typed: emit.op("ReduceSum", [summands, axes], { keepdims: 0 }), as: type };
  },
});

/** The sum of the diagonal. */
export const trace = torchCall({
  name: "trace",
  in: both,
  params: { input: tensor },
  build: (ctx, { input }) => {
    if (input.shape.length !== 2)
      throw torchError(
        "RuntimeError",
        `trace: expected a matrix, but got tensor with dim ${input.shape.length}`,
      );
    refuseKinds("trace", typeOf(input), ["bool"]);
    const { emit } = ctx;
    const type = sumType(ctx, null, input);
    const size = Math.min(...input.shape);
    const x = emit.op("Slice", [
      ctx.as(input, type),
      emit.ints([0, 0]),
      emit.ints([size, size]),
      emit.ints([0, 1]),
    ]);
    const sum = contract(emit, [x], [["i", "i"]], [], typeOf(input));
    return { typed: reshapeTo(emit, sum, []), as: type };
  },
});
