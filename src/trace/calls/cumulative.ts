/** Running sums and products. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { castTo, sliceAxis } from "../../ops/write.ts";
import { int, tensor } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { isComplexType, type TorchType } from "../promotion.ts";
import { inKernels, rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { wrapDim } from "../views.ts";
import { complexMultiply, pair, parts } from "./complexNumbers.ts";
import { withSlope } from "./curves.ts";
import { besideComplex } from "./derivatives.ts";
import { resultDType, sumType } from "./reduction.ts";

const both = ["torch", "Tensor"] as const;

/** Nothing is added up: PyTorch asks for no kernel. */
const isAlone = (input: Tensor): boolean => input.shape.length === 0 || numel(input.shape) === 0;

export const cumsum = torchCall({
  name: "cumsum",
  in: both,
  params: { input: tensor, dim: int, dtype: resultDType },
  inPlace: true,
  build: (ctx, { input, dim, dtype }) => {
    const { emit } = ctx;
    const type = sumType(ctx, dtype, input);
    refuseKinds("cumsum_out_cpu", type, ["bool"]);
    const axis = wrapDim(dim, input.shape.length);
    if (ctx.inPlace && input.dtype === "bool" && isAlone(input))
      return { typed: emit.op("Identity", [ctx.store.read(input)]), as: "bool" };
    const x = ctx.as(input, type);
    if (input.shape.length === 0) return { typed: emit.op("Identity", [x]), as: type };
    return { typed: emit.op("CumSum", [x, emit.scalar(axis, "int64")]), as: type };
  },
});

export const cumprod = torchCall({
  name: "cumprod",
  in: both,
  params: { input: tensor, dim: int, dtype: resultDType },
  inPlace: true,
  saves: ["input", "result"],
  build: (ctx, { input, dim, dtype }) => {
    const { emit } = ctx;
    const type = sumType(ctx, dtype, input);
    refuseKinds("cumprod_out_cpu", type, ["bool"]);
    refuseRealProducts(ctx, input, type);
    const axis = wrapDim(dim, input.shape.length);
    if (ctx.inPlace && input.dtype === "bool" && isAlone(input))
      return { typed: emit.op("Identity", [ctx.store.read(input)]), as: "bool" };
    const x = ctx.as(input, type);
    if (isAlone(input)) return { typed: emit.op("Identity", [x]), as: type };
    if (isComplexType(type)) {
      const z = besideComplex(ctx, input, type);
      return { typed: complexProducts(emit, z, axis), as: type };
    }
    const typed = withSlope(
      emit,
      x,
      () => products(emit, x, axis),
      (backward, y, d) =>
        slopeOfProducts(inKernels(backward, type), x, axis, rounded(backward, y, type), d),
    );
    return { typed, as: type };
  },
});

/** PyTorch's gradient is of the complex numbers, not of the real parts that are multiplied. */
function refuseRealProducts(ctx: CallContext, input: Tensor, type: TorchType): void {
  if (!input.isComplex || isComplexType(type)) return;
  if (ctx.emit.gradMode && ctx.store.requiresGrad(input))
    throw torchError(
      "UnsupportedCall",
      "the gradient of torch.cumprod of complex numbers with a real dtype is not supported",
    );
}

/** Running products; each round doubles the number of elements that one covers. */
function running(
  emit: Emit,
  x: Value,
  axis: number,
  timesEarlier: (covered: Value, reach: number) => Value,
): Value {
  let covered = emit.op("Identity", [x]);
  for (let reach = 1; reach < (x.shape[axis] ?? 1); reach *= 2)
    covered = timesEarlier(covered, reach);
  return covered;
}

const products = (emit: Emit, x: Value, axis: number): Value =>
  running(emit, x, axis, (covered, reach) =>
    emit.op("Mul", [covered, delayed(emit, covered, axis, reach, 1)]),
  );

const complexProducts = (emit: Emit, z: Value, axis: number): Value =>
  running(emit, z, axis, (covered, reach) =>
    complexMultiply(emit, covered, delayedPairs(emit, covered, axis, reach)),
  );

/**
 * PyTorch's gradient of y, the running products of x: before the first zero of a line Σ y·d of what
 * follows, over x; at the zero Σ d times the products without it, up to the next; behind it 0.
 */
function slopeOfProducts(emit: Emit, x: Value, axis: number, y: Value, d: Value): Value {
  const along = emit.scalar(axis, "int64");
  const where = (mask: Value, a: Value, otherwise: number) =>
    emit.op("Where", [mask, a, emit.scalar(otherwise, a.dtype)]);
  const isZero = emit.op("Equal", [x, emit.scalar(0, x.dtype)]);
  const zeros = emit.op("CumSum", [castTo(emit, isZero, "int32"), along]);
  const hasSeen = (count: number) => emit.op("Equal", [zeros, emit.scalar(count, "int32")]);
  const isBefore = hasSeen(0);
  const following = emit.op("CumSum", [where(isBefore, emit.op("Mul", [y, d]), 0), along], {
    reverse: 1,
  });
  const isFirst = emit.op("And", [isZero, hasSeen(1)]);
  const isBehind = emit.op("And", [hasSeen(1), emit.op("Not", [isZero])]);
  const withoutZero = products(emit, where(isBehind, x, 1), axis);
  const ofZero = emit.op(
    "ReduceSum",
    [emit.op("Mul", [withoutZero, where(hasSeen(1), d, 0)]), emit.ints([axis])],
    { keepdims: 1 },
  );
  const atZero = emit.op("Mul", [ofZero, delayed(emit, y, axis, 1, 1)]);
  const beforeZero = emit.op("Div", [following, x]);
  return emit.op("Where", [isBefore, beforeZero, where(isFirst, atZero, 0)]);
}

/** Complex ones come in: 1 + 0i. */
function delayedPairs(emit: Emit, z: Value, axis: number, steps: number): Value {
  const [re, im] = parts(emit, z);
  return pair(emit, delayed(emit, re, axis, steps, 1), delayed(emit, im, axis, steps, 0));
}

/** x moved on by `steps` along an axis, `filled` coming in. */
function delayed(emit: Emit, x: Value, axis: number, steps: number, filled: number): Value {
  const kept = sliceAxis(emit, x, axis, 0, (x.shape[axis] as number) - steps);
  const none = x.shape.map(() => 0);
  const pads = emit.ints([...none.with(axis, steps), ...none]);
  return emit.op("Pad", [kept, pads, emit.scalar(filled, x.dtype)]);
}
