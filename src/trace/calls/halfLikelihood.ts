/** Negative log likelihoods in half precision, each kernel of PyTorch's rounded to the type. */
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { expandTo, reshapeTo, zerosOf } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import type { TorchType } from "../promotion.ts";
import { inCalls, inKernels, numberOf, rounded } from "../rounding.ts";
import { counted, negatedLoss, type Picked, type Reduction, reduced } from "./classes.ts";
import { sumInLevels } from "./halfSums.ts";
import { inSteps, type Kernels } from "./kernelSlopes.ts";

/** −log p of the targets, reduced; `logs` are held by the type. */
export function likelihoodInHalf(
  emit: CallContext["emit"],
  logs: Value,
  picked: Picked,
  reduction: Reduction,
  type: TorchType,
): Value {
  return inSteps(
    emit,
    type,
    [logs],
    () => likelihood(emit, logs, picked, reduction, type),
    (kernels, d) => [slope(emit, kernels, logs, picked, reduction, type, d)],
  );
}

function likelihood(
  emit: Emit,
  logs: Value,
  picked: Picked,
  reduction: Reduction,
  type: TorchType,
): Value {
  const { axis, indices, share, weight } = picked;
  const step = inKernels(emit, type);
  const taken = counted(emit, emit.op("GatherElements", [logs, indices], { axis }), picked);
  const weighed = weight && share ? step.op("Mul", [taken, share]) : taken;
  if (reduction === "none" || numel(taken.shape) === 0)
    return negatedLoss(emit, reduced(emit, weighed, picked, reduction), picked);
  const sum = sumInLevels(emit, lined(emit, weighed), type);
  const total = reduction === "sum" ? sum : step.op("Div", [sum, totalOf(emit, picked, type)]);
  return negatedLoss(emit, total, picked);
}

const lined = (emit: Emit, x: Value): Value => reshapeTo(emit, x, [numel(x.shape)]);

/** What the mean divides by: the weights of the targets that count, or their number. */
function totalOf(emit: Emit, { share, weight, indices }: Picked, type: TorchType): Value {
  if (share === null) return numberOf(emit, numel(indices.shape), type);
  if (weight !== null) return sumInLevels(emit, lined(emit, share), type);
  return rounded(emit, emit.op("ReduceSum", [share, null], { keepdims: 0 }), type);
}

/** −d · w / total at the target of each row. */
function slope(
  emit: Emit,
  { op }: Kernels,
  logs: Value,
  picked: Picked,
  reduction: Reduction,
  type: TorchType,
  d: Value,
): Value {
  const { axis, indices, share, valid } = picked;
  const rows = logs.shape.with(axis, 1);
  const each = () => {
    if (reduction === "none") return reshapeTo(emit, d, rows);
    if (reduction === "sum") return d;
    const of = op("Div", d, totalOf(emit, picked, type));
    // Where all targets are ignored the loss is NaN, its gradient 0.
    return valid ? op("Where", valid, of, 0) : of;
  };
  const scaled = share ? op("Mul", each(), share) : each();
  const updates = expandTo(emit, op("Neg", scaled), rows);
  const zeros = zerosOf(emit, logs.dtype, logs.shape);
  return emit.op("ScatterElements", [zeros, indices, updates], { axis });
}

/** −Σ w · log p over the classes, reduced: what label smoothing mixes in. */
export function uniformInHalf(
  emit: CallContext["emit"],
  logs: Value,
  picked: Picked,
  reduction: Reduction,
  type: TorchType,
): Value {
  const { axis, weight, share, shape } = picked;
  const step = inCalls(emit, type);
  const weighed = weight ? step.op("Mul", [logs, weight]) : logs;
  const sums = step.op("ReduceSum", [weighed, emit.ints([axis])], { keepdims: 1 });
  const losses = counted(emit, step.op("Neg", [sums]), picked);
  if (reduction === "none") return reshapeTo(emit, losses, shape);
  const sumOf = (x: Value) => step.op("ReduceSum", [x, null], { keepdims: 0 });
  if (reduction === "sum") return sumOf(losses);
  return weight && share
    ? step.op("Div", [sumOf(losses), sumOf(share)])
    : rounded(emit, reduced(emit, losses, picked, reduction), type);
}
