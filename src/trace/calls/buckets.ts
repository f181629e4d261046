/** Counting and finding: bins, sorted boundaries, membership. */

import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { allocate, isFloat, type Numbers, numel } from "../../graph/tensor.ts";
import { roundTo } from "../../ops/kernels/round.ts";
import { castTo, reshapeTo } from "../../ops/write.ts";
import {
  bool,
  int,
  isTensor,
  keyword,
  operand,
  optional,
  type Scalar,
  scalar,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { isComplexType, typeOf } from "../promotion.ts";
import { heldBy } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { comparable, reduce } from "./reduction.ts";

const both = ["torch", "Tensor"] as const;
const flag = keyword(withDefault(bool, false));

/** How often each number occurs, or the sum of its weights; how many there are is a question for the numbers. */
export const bincount = torchCall({
  name: "bincount",
  in: both,
  params: { input: tensor, weights: optional(tensor), minlength: withDefault(int, 0) },
  build: (ctx, { input, weights, minlength }) => {
    if (minlength < 0) throw torchError("RuntimeError", "minlength should be >= 0");
    const numbers = countable(ctx, input);
    if (weights !== null && weights.shape.join() !== input.shape.join())
      throw torchError("RuntimeError", "weights should be 1-d and have the same length as input");
    let length = minlength;
    for (const x of numbers) length = Math.max(length, x + 1);
    const type = weights === null ? "int64" : weights.dtype === "float32" ? "float32" : "float64";
    const counts = allocate(type, length);
    const shares = weights && ctx.store.numbers(weights);
    numbers.forEach((x, at) => {
      counts[x] = (counts[x] as number) + (shares ? (shares[at] as number) : 1);
    });
    return ctx.store.fromNumbers({ dtype: type, isComplex: false }, [length], counts);
  },
});

function countable(ctx: CallContext, input: Tensor): Numbers {
  if (isFloat(input.dtype) || input.dtype === "bool")
    throw torchError(
      "NotImplementedError",
      `"bincount_cpu" not implemented for '${cppName(typeOf(input))}'`,
    );
  const numbers = ctx.store.numbers(input);
  if (input.shape.length !== 1 || numbers.some((x) => x < 0))
    throw torchError("RuntimeError", "bincount only supports 1-d non-negative integral inputs.");
  return numbers;
}

/** Counts in `bins` equal parts of [min, max]; both 0: of the range of the elements. */
export const histc = torchCall({
  name: "histc",
  in: both,
  params: {
    input: tensor,
    bins: withDefault(int, 100),
    min: withDefault(scalar, { kind: "int", value: 0 } as Scalar),
    max: withDefault(scalar, { kind: "int", value: 0 } as Scalar),
  },
  build: (ctx, { input, bins, min, max }) => {
    if (!isFloat(input.dtype))
      throw torchError(
        "NotImplementedError",
        `"histogram_cpu" not implemented for '${cppName(typeOf(input))}'`,
      );
    if (bins <= 0)
      throw torchError(
        "RuntimeError",
        `torch.histogram(): bins must be > 0, but got ${bins} for dimension 0`,
      );
    if (min.value > max.value)
      throw torchError("RuntimeError", "torch.histc: max must be larger than min");
    const numbers = ctx.store.numbers(input);
    const counts = allocate(input.dtype, bins);
    // Bounds and each step are rounded to the element type.
    const one = allocate(input.dtype, 1);
    const held = (x: number) => {
      one[0] = x;
      roundTo(input.dtype, one);
      return one[0] as number;
    };
    const [low, high] = rangeOf(numbers, held(min.value), held(max.value));
    for (const x of numbers) {
      if (!(x >= low && x <= high)) continue;
      const scaled = held(held(x - low) * bins);
      const bin = Math.min(Math.floor(held(scaled / held(high - low))), bins - 1);
      counts[bin] = (counts[bin] as number) + 1;
    }
    return ctx.store.fromNumbers({ dtype: input.dtype, isComplex: false }, [bins], counts);
  },
});

function rangeOf(numbers: Numbers, min: number, max: number): [number, number] {
  if (min !== max || numbers.length === 0) return min === max ? [min - 1, max + 1] : [min, max];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of numbers) [low, high] = [Math.min(low, x), Math.max(high, x)];
  return low === high ? [low - 1, high + 1] : [low, high];
}

/** How many boundaries lie below each value (right: or at it). */
export const searchsorted = torchCall({
  name: "searchsorted",
  in: ["torch"],
  params: {
    sorted_sequence: tensor,
    input: operand,
    out_int32: flag,
    right: flag,
    side: keyword(optional(text)),
    sorter: keyword(optional(tensor)),
  },
  build: (ctx, { sorted_sequence: sequence, input, out_int32, right, side, sorter }) => {
    if (side !== null && side !== "left" && side !== "right")
      throw torchError(
        "RuntimeError",
        `torch.searchsorted(): side can only be 'left' or 'right' but got ${side}`,
      );
    if (side === "left" && right)
      throw torchError(
        "RuntimeError",
        "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True",
      );
    const shape = isTensor(input) ? input.shape : [];
    const leading = sequence.shape.slice(0, -1);
    if (sequence.shape.length !== 1 && leading.join() !== shape.slice(0, -1).join())
      throw torchError(
        "RuntimeError",
        `torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor [${sequence.shape.join(", ")}] and input value tensor [${shape.join(", ")}]`,
      );
    const type = ctx.promote(sequence, input);
    if (isComplexType(type)) leaveToPython();
    refuseKinds("searchsorted_out_cpu", type, ["bool"]);
    const given = ctx.as(sequence, type);
    const ordered = sorter
      ? ctx.emit.op("GatherElements", [given, ctx.store.read(sorter)], { axis: -1 })
      : given;
    return below(ctx, ordered, ctx.as(input, type), right || side === "right", out_int32);
  },
});

export const bucketize = torchCall({
  name: "bucketize",
  in: ["torch"],
  params: { input: operand, boundaries: tensor, out_int32: flag, right: flag },
  build: (ctx, { input, boundaries, out_int32, right }) => {
    if (boundaries.shape.length !== 1)
      throw torchError(
        "RuntimeError",
        `boundaries tensor must be 1 dimension, but got dim(${boundaries.shape.length})`,
      );
    const type = ctx.promote(boundaries, input);
    if (isComplexType(type)) leaveToPython();
    refuseKinds("searchsorted_out_cpu", type, ["bool"]);
    return below(ctx, ctx.as(boundaries, type), ctx.as(input, type), right, out_int32);
  },
});

/** Counts over the boundaries on the last axis; a row of boundaries for each row of values. */
function below(
  ctx: CallContext,
  boundaries: Value,
  values: Value,
  orEqual: boolean,
  narrow: boolean,
): Typed {
  const { emit } = ctx;
  const size = boundaries.shape.at(-1) as number;
  const rows = boundaries.shape.length === 1 ? [size] : [...boundaries.shape.slice(0, -1), 1, size];
  const column = reshapeTo(emit, comparable(ctx, values), [...values.shape, 1]);
  const row = reshapeTo(emit, comparable(ctx, boundaries), rows);
  // A NaN passes all boundaries.
  const passes = emit.op("Not", [emit.op(orEqual ? "Greater" : "GreaterOrEqual", [row, column])]);
  const count = reduce(
    emit,
    "ReduceSum",
    castTo(emit, passes, "int64"),
    [values.shape.length],
    false,
  );
  return { typed: count, as: narrow ? "int32" : "int64" };
}

/** Whether each element is among the test elements. */
export const isin = torchCall({
  name: "isin",
  in: ["torch"],
  params: { elements: operand, test_elements: operand, assume_unique: flag, invert: flag },
  build: (ctx, { elements, test_elements, invert }) => {
    const { emit } = ctx;
    const type = ctx.promote(elements, test_elements);
    if ([elements, test_elements].some((part) => isTensor(part) && part.dtype === "bool"))
      throw torchError(
        "NotImplementedError",
        "Unsupported input type encountered for isin(): Bool",
      );
    const given = comparable(ctx, heldBy(ctx, elements, type));
    const tests = comparable(ctx, heldBy(ctx, test_elements, type));
    const row = reshapeTo(emit, tests, [numel(tests.shape)]);
    const column = reshapeTo(emit, given, [...given.shape, 1]);
    const equal = castTo(emit, emit.op("Equal", [column, row]), "int32");
    const found = reduce(emit, "ReduceSum", equal, [given.shape.length], false);
    const zero = emit.scalar(0, "int32");
    return invert ? emit.op("Equal", [found, zero]) : emit.op("Greater", [found, zero]);
  },
});
