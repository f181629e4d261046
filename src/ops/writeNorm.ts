/** The gradients that InstanceNormalization and GroupNormalization share. */
import { invariant } from "../errors.ts";
import type { Emit, Value } from "../graph/graph.ts";
import { allocate, numel } from "../graph/tensor.ts";
import { castTo, reshapeTo } from "./write.ts";
import { sumOverChannels } from "./writeConv.ts";

/**
 * With g = dY · scale over rows of one group: dX = (g − mean(g) − X̂ · mean(g · X̂)) / deviation.
 */
export function groupInputGradient(
  emit: Emit,
  X: Value,
  scale: Value,
  dY: Value,
  groups: number,
  epsilon: number,
): Value {
  const { normal, inverse } = normalizedGroups(emit, X, groups, epsilon);
  const factor = reshapeTo(emit, scale, [X.shape[1] as number, ...X.shape.slice(2).map(() => 1)]);
  const g = reshapeTo(emit, emit.op("Mul", [dY, factor]), normal.shape);
  const mean = (x: Value) => emit.op("ReduceMean", [x, emit.ints([-1])], { keepdims: 1 });
  const along = emit.op("Mul", [normal, mean(emit.op("Mul", [g, normal]))]);
  const straight = emit.op("Sub", [emit.op("Sub", [g, mean(g)]), along]);
  return reshapeTo(emit, emit.op("Mul", [straight, inverse]), X.shape);
}

export function groupScaleGradient(
  emit: Emit,
  X: Value,
  dY: Value,
  groups: number,
  epsilon: number,
): Value {
  const { normal } = normalizedGroups(emit, X, groups, epsilon);
  return sumOverChannels(emit, emit.op("Mul", [dY, reshapeTo(emit, normal, X.shape)]));
}

/** X̂ as [N, groups, rest], and the inverse deviations. */
function normalizedGroups(emit: Emit, X: Value, groups: number, epsilon: number) {
  const n = X.shape[0] as number;
  const size = numel(X.shape) / (n * groups);
  const rows = reshapeTo(emit, X, [n, groups, size]);
  const ones = { dtype: X.dtype, shape: [size], data: allocate(X.dtype, size).fill(1) };
  const [normal, , inverse] = emit.ops(
    "LayerNormalization",
    [rows, emit.constant(ones)],
    { epsilon },
    3,
  );
  invariant(normal && inverse, "LayerNormalization has three outputs");
  return { normal, inverse: castTo(emit, inverse, X.dtype) };
}
