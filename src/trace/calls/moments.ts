/** Variance and standard deviation. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import {
  type Arg,
  anything,
  bool,
  ints,
  isScalar,
  keyword,
  optional,
  scalar,
  tensor,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { inKernels, rounded, roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { axesOf, broadcastBack, keepdim, reduce } from "./reduction.ts";

const both = ["torch", "Tensor"] as const;
const params = {
  input: tensor,
  dim: optional(anything),
  unbiased: optional(bool),
  keepdim,
  correction: keyword(optional(scalar)),
};

interface MomentArgs {
  readonly input: Tensor;
  readonly dim: Arg;
  readonly unbiased: boolean | null;
  readonly keepdim: boolean;
  readonly correction: { readonly value: number } | null;
}

/** var(x, True) and var(x, dim, …) share one signature: a bool where `dim` stands is `unbiased`. */
function readArguments(name: string, args: MomentArgs) {
  const first = args.dim;
  const isFlag = isScalar(first) && first.kind === "bool";
  const unbiased = isFlag ? first.value !== 0 : args.unbiased;
  const dim = isFlag || first === null ? null : ints.accept(first);
  if (dim === undefined)
    throw torchError("TypeError", `${name}(): argument 'dim' must be tuple of ints`);
  const correction = args.correction?.value ?? (unbiased === false ? 0 : 1);
  const axes = axesOf(dim, args.input.shape.length);
  return { axes, correction, namesNone: dim?.length === 0 && axes.length > 0 };
}

/** [the spread, the mean]: Σ (x − mean)² / max(0, n − correction), or its root. */
function moments(
  ctx: CallContext,
  name: string,
  args: MomentArgs,
  root: boolean,
): readonly [Typed, Typed] {
  const { input, keepdim } = args;
  if (input.isComplex || !isFloat(input.dtype)) {
    const subject = name.endsWith("_mean") ? name : "std and var";
    throw torchError(
      "NotImplementedError",
      `${subject} only support floating point and complex dtypes`,
    );
  }
  const { axes, correction, namesNone } = readArguments(name, args);
  const x = wideIfKnown(ctx, input);
  const count = axes.reduce((n, axis) => n * (x.shape[axis] as number), 1);
  const freedom = Math.max(0, count - correction);
  // Where no axis is named PyTorch's gradient counts one element.
  const divisor = namesNone ? 1 - correction : freedom;
  const [spread, mean] = count === 0 ? nothing(ctx, x, axes, keepdim) : measure();
  const narrow = (value: Value) => castTo(ctx.emit, value, ctx.read(input).dtype);
  return [
    { typed: narrow(spread), as: input.dtype },
    { typed: narrow(mean), as: input.dtype },
  ];

  function measure(): readonly [Value, Value] {
    const { emit } = ctx;
    let [mean, centred] = [x, x];
    let result: Value = x;
    const made = emit.grouped(
      [x],
      () => {
        mean = reduce(emit, "ReduceMean", x, axes, true);
        centred = emit.op("Sub", [x, mean]);
        const squares = reduce(emit, "ReduceSumSquare", centred, axes, keepdim);
        const variance = emit.op("Mul", [squares, emit.scalar(1 / freedom, x.dtype)]);
        result = root ? emit.op("Sqrt", [variance]) : variance;
        const shape = result.shape;
        return [result, emit.op("Reshape", [mean, emit.ints(shape)], { allowzero: 1 })];
      },
      (backward, [dSpread, dMean]) => {
        const step = inKernels(backward, input.dtype);
        const held = rounded(backward, result, input.dtype);
        const dVariance = dSpread && root ? throughRoot(step, held, dSpread) : dSpread;
        const parts: Value[] = [];
        if (dVariance) {
          const slope = step.op("Mul", [dVariance, step.scalar(2 / divisor, x.dtype)]);
          parts.push(step.op("Mul", [apart(step), broadcastBack(step, slope, x.shape, axes)]));
        }
        if (dMean) {
          const share = step.op("Div", [dMean, step.scalar(count, x.dtype)]);
          parts.push(broadcastBack(step, share, x.shape, axes));
        }
        return [parts.length === 2 ? step.op("Add", parts) : (parts[0] ?? null)];
      },
    );
    return made as readonly [Value, Value];

    /** x − mean, of half precision with the mean that it holds. */
    function apart(step: Emit): Value {
      if (!roundsSteps(input.dtype)) return centred;
      return step.op("Sub", [x, rounded(step, mean, input.dtype)]);
    }
  }
}

/** PyTorch adds in double precision, whose squares do not overflow; only on the host does that cost nothing. */
function wideIfKnown(ctx: CallContext, input: Tensor): Value {
  const x = ctx.read(input);
  const isFree = x.role === "constant" && !x.requiresGrad;
  return isFree ? castTo(ctx.emit, x, "float64") : x;
}

/** dv = ds / 2s, and 0 where s is 0. */
function throughRoot(emit: Emit, root: Value, d: Value): Value {
  const zero = emit.scalar(0, root.dtype);
  const slope = emit.op("Div", [d, emit.op("Mul", [root, emit.scalar(2, root.dtype)])]);
  return emit.op("Where", [emit.op("Equal", [root, zero]), zero, slope]);
}

function nothing(
  ctx: CallContext,
  x: Value,
  axes: readonly number[],
  keepdim: boolean,
): readonly [Value, Value] {
  const none = reduce(ctx.emit, "ReduceMean", x, axes, keepdim, Number.NaN);
  return [none, none];
}

function spread(name: "var" | "std") {
  return torchCall({
    name,
    in: both,
    params,
    saves: name === "std" ? ["input", "result"] : ["input"],
    build: (ctx, args) => moments(ctx, name, args, name === "std")[0],
  });
}

function spreadAndMean(name: "var_mean" | "std_mean") {
  return torchCall({
    name,
    in: ["torch"],
    params,
    saves: name === "std_mean" ? ["input", "result0"] : ["input"],
    build: (ctx, args) => moments(ctx, name, args, name === "std_mean"),
  });
}

// `var` is a reserved word.
export const variance = spread("var");
export const std = spread("std");
export const varMean = spreadAndMean("var_mean");
export const stdMean = spreadAndMean("std_mean");
