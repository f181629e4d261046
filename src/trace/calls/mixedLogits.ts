/**
 * The binary cross entropy of logits where a half precision meets another type: PyTorch computes the
 * loss in the memory of 1 − y and the gradient in that of σ(x), whose types they keep.
 */
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import { computeType, type TorchType } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import type { Reduction } from "./classes.ts";
import { logSigmoid } from "./curves.ts";
import { reduceLoss } from "./loss.ts";
import { type Held, kernels, type TypedKernels } from "./typedKernels.ts";

export interface Logits {
  readonly x: Held;
  readonly y: Held;
  readonly weight: Held | null;
  /** What a 1 of the target counts for; null: 1. */
  readonly positive: Held | null;
  readonly reduction: Reduction;
}

/** The loss, in the type of the target. */
export function mixedLogitEntropy({ emit }: CallContext, given: Logits): Value {
  const { x, y, reduction } = given;
  let losses = y.value;
  const [loss] = emit.grouped(
    [x.value, y.value],
    () => {
      losses = lossesOf(emit, given).value;
      return [reduceLoss(emit, losses, reduction)];
    },
    (backward, [d]) => {
      if (!d) return [null];
      const held = { value: rounded(backward, d, y.type), type: y.type };
      const count = numel(losses.shape);
      return [
        slopeByLogit(backward, given, held, count),
        slopeByTarget(backward, given, held, count),
      ];
    },
  );
  return loss as Value;
}

/** `x` in the memory of another type. */
const within = (emit: Emit, { value }: Held, type: TorchType): Held => ({
  value: castTo(emit, rounded(emit, value, type), computeType(type)),
  type,
});

/** A kernel in place: what it gives has the type of its first operand. */
const inPlace =
  (emit: Emit, { op }: TypedKernels) =>
  (name: string, edited: Held, other: Held | number): Held =>
    within(emit, op(name, edited, other), edited.type);

const logOfSigmoid = (emit: Emit, { value, type }: Held): Held => ({
  value: rounded(emit, logSigmoid(emit, value), type),
  type,
});

/** (1 − y) x − (1 + (w₊ − 1) y) ln σ(x) */
function lossesOf(emit: Emit, { x, y, weight, positive }: Logits): Held {
  const own = kernels(emit);
  const edit = inPlace(emit, own);
  const log = logOfSigmoid(emit, x);
  const scale = () => own.op("Add", own.op("Mul", own.op("Sub", positive as Held, 1), y), 1);
  const hit = positive ? edit("Mul", log, scale()) : log;
  const losses = edit("Sub", edit("Mul", own.op("Sub", 1, y), x), hit);
  return weight ? edit("Mul", losses, weight) : losses;
}

/** (w₊ y + 1 − y) σ(x) − w₊ y */
function slopeByLogit(emit: Emit, given: Logits, d: Held, count: number): Value {
  const { x, y, positive } = given;
  const own = kernels(emit);
  const edit = inPlace(emit, own);
  const sigmoid = own.op("Sigmoid", x);
  const scaled = (slope: Held) => shared(emit, given, edit("Mul", slope, d), count);
  if (!positive) return scaled(edit("Sub", sigmoid, y));
  const hit = own.op("Mul", positive, y);
  const both = edit("Sub", own.op("Add", hit, 1), y);
  return scaled(edit("Sub", edit("Mul", both, sigmoid), hit));
}

/** ln σ(−x) − w₊ ln σ(x), of which −x is left where w₊ is 1. */
function slopeByTarget(emit: Emit, given: Logits, d: Held, count: number): Value {
  const { x, positive } = given;
  const own = kernels(emit);
  const edit = inPlace(emit, own);
  const line = own.op("Neg", x);
  if (!positive) return shared(emit, given, own.op("Mul", line, d), count);
  const hit = edit("Mul", logOfSigmoid(emit, x), positive);
  const slope = edit("Sub", logOfSigmoid(emit, line), hit);
  return shared(emit, given, edit("Mul", slope, d), count);
}

/** A gradient times the weight and the share of each. */
function shared(emit: Emit, { weight, reduction }: Logits, scaled: Held, count: number): Value {
  const edit = inPlace(emit, kernels(emit));
  const weighed = weight ? edit("Mul", scaled, weight) : scaled;
  return (reduction === "mean" ? edit("Div", weighed, count) : weighed).value;
}
